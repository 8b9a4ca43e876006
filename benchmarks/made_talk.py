# ruff: noqa: E501  (lists of sentences read better with one entry on a line)
"""Conversations of our own making with marked evidence: what `train-ranking` learns from beside the public sets.

    python benchmarks/made_talk.py DIR [--seed 1]

Writes people.jsonl.gz (two friends over months) and chats.jsonl.gz (a person and an assistant) in
the form that retrieval.py reads. Everything is put together from the lists below; nothing is taken
from elsewhere. Friends touch the same subjects, so that a question is not answered by its subject
alone; the assistant repeats its user's words at length, so that most words are not where the
evidence is. One question in six names the wrong friend; its evidence stays what it was.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from datetime import datetime, timedelta
from pathlib import Path

NAMES = """Alma Bruno Clara Dario Edith Felix Greta Hugo Ines Jonas Kira Lars Mona Nils Olga Pavel Rosa Sven Tilda Uwe Vera
Wanda Yara Zeno Agnes Boris Celia Dora Emil Fiona Gideon Hanna Igor Jutta Karim Lena Marek Nora Otis Paula Rufus Selma
Tomas Ursula Viktor Wilma Xenia Yusuf Zora""".split()
PLACES = """Porto Ghent Aarhus Turin Galway Bergen Leeds Utrecht Split Riga Malaga Basel Lyon Graz Krakow Tampere Bristol
Oaxaca Halifax Denver Portland Savannah Boise Tucson Quebec Hobart Nelson Kyoto Hue Jaipur""".split()
KIN = "sister brother mother father cousin aunt uncle grandmother neighbour boss colleague roommate nephew niece".split()
FEEL = [
    "It was so much fun",
    "I was nervous at first",
    "I am still smiling",
    "It took me forever",
    "I did not expect that at all",
    "It felt like a weight off my shoulders",
    "Honestly it was harder than I thought",
    "I would do it again any day",
    "My legs still hurt",
    "It made my whole week",
]

# Subject: what is told (with its slots), what the friend asks, the answer, and questions with what they want: t told, a answer.
# A slot is a list below, in braces.
SUBJECTS = {
    "bake": (
        "I finally baked {bread} from scratch on {daypart}.",
        "Wow, where did you get the recipe?",
        "It comes from {kin2}, written on the back of an old {thing}.",
        [
            ("What did {n} bake?", "t"),
            ("Which pastry did {n} make at home?", "t"),
            ("Who gave {n} the recipe?", "a"),
            ("When did {n} bake {bread}?", "t"),
        ],
    ),
    "pet": (
        "We brought home {pet} from the shelter {when}!",
        "Aww, what is the name?",
        "We went for {petname}, because of the {colour} spot on one ear.",
        [
            ("What pet does {n} have?", "ta"),
            ("What is the name of {n}'s pet?", "a"),
            ("When did {n} adopt an animal?", "t"),
            ("Why did {n} choose the name {petname}?", "a"),
        ],
    ),
    "trip": (
        "I got back from {city} {when}, {kin} came along.",
        "Lucky you! What was the best part?",
        "Probably {sight}, we stayed there until it closed.",
        [
            ("Where did {n} travel?", "t"),
            ("Who went to {city} with {n}?", "t"),
            ("What did {n} like most on the journey?", "a"),
            ("When was {n} in {city}?", "t"),
            ("Which sight impressed {n} in {city}?", "ta"),
        ],
    ),
    "job": (
        "Big news: I start as {job} at a {firm} {soon}.",
        "Congratulations! What made them choose you?",
        "They said it was my {skill}, and that I asked about {odd}.",
        [
            ("What is {n}'s new job?", "t"),
            ("What kind of company hired {n}?", "t"),
            ("Why did the employer pick {n}?", "a"),
            ("When does {n} begin the new position?", "t"),
        ],
    ),
    "class": (
        "I signed up for {course} classes, every {weekday} evening.",
        "Cool, what got you into that?",
        "A {thing} in a shop window, would you believe it. And {kin} has done it for {n2} years.",
        [
            ("What course is {n} taking?", "t"),
            ("On which day does {n} have lessons?", "t"),
            ("What inspired {n} to learn {course}?", "a"),
            ("How long has {n}'s relative done {course}?", "a"),
        ],
    ),
    "race": (
        "I ran the {race} {when} in {n3} minutes.",
        "Amazing! How did you train for it?",
        "Up the hill behind {spot} before breakfast, with {kin} on the bike beside me.",
        [
            ("What race did {n} take part in?", "t"),
            ("How fast did {n} finish?", "t"),
            ("Where did {n} practise?", "a"),
            ("Who trained together with {n}?", "a"),
            ("When did {n} run?", "t"),
        ],
    ),
    "home": (
        "The landlord gave notice, so I am moving to {spot} {soon}.",
        "Oh no! Will you have enough room there?",
        "It is smaller, but there is {feature}, and it costs {n3} a month less.",
        [
            ("Where is {n} moving?", "t"),
            ("What does {n} like about the new flat?", "a"),
            ("How much cheaper is the new apartment of {n}?", "a"),
            ("Why must {n} leave the old place?", "t"),
        ],
    ),
    "music": (
        "I have been practising the {instrument} again since {when2}.",
        "Which piece are you working on?",
        "A {tune} by {composer}, for the party of {kin}.",
        [
            ("What instrument does {n} play?", "t"),
            ("Which piece is {n} learning?", "a"),
            ("For whom will {n} perform?", "a"),
            ("Since when has {n} played the {instrument}?", "t"),
        ],
    ),
    "health": (
        "I saw the doctor {when}: it is {illness}.",
        "I am sorry. What do they advise?",
        "{cure}, and no {food} for {n2} weeks.",
        [
            ("What illness does {n} have?", "t"),
            ("What must {n} avoid eating?", "a"),
            ("What treatment did {n} get?", "a"),
            ("When was {n} at the doctor?", "t"),
        ],
    ),
    "garden": (
        "I planted {plant} on the balcony {when}.",
        "Do they get enough sun?",
        "Until noon. {kin2} lent me a {thing} to keep the {animal} away.",
        [
            ("What does {n} grow?", "t"),
            ("How does {n} protect the plants?", "a"),
            ("What pests trouble {n}'s plants?", "a"),
            ("When did {n} plant {plant}?", "t"),
        ],
    ),
    "book": (
        "I could not put down {book}, finished it {when}.",
        "What is it about?",
        "A {profession} who finds a {thing} in {city}. {kin} gave it to me.",
        [
            ("What book did {n} read?", "t"),
            ("What is the novel that {n} read about?", "a"),
            ("Who gave {n} the book?", "a"),
        ],
    ),
    "help": (
        "I spent {daypart} helping at {charity}.",
        "That is kind. What did you do there?",
        "I sorted {stuff} and talked with a {profession} about {odd}.",
        [
            ("Where does {n} volunteer?", "t"),
            ("What work did {n} do for charity?", "ta"),
            ("Whom did {n} meet while volunteering?", "a"),
        ],
    ),
    "car": (
        "My {vehicle} broke down near {spot} {when}.",
        "Did you get it fixed?",
        "A {profession} stopped and mended it with a {thing}, for nothing!",
        [
            ("What happened to {n}'s vehicle?", "t"),
            ("Where did {n} have a breakdown?", "t"),
            ("Who repaired {n}'s {vehicle}?", "a"),
            ("When did {n}'s {vehicle} fail?", "t"),
        ],
    ),
    "family": (
        "My {kinw} got married {when}, in a {venue}.",
        "How lovely! What did you give them?",
        "A {thing} that I made myself, and {n2} bottles of {drink}.",
        [
            ("Who in {n}'s family had a wedding?", "t"),
            ("Where was the wedding that {n} attended?", "t"),
            ("What present did {n} bring?", "a"),
            ("When did {n}'s {kinw} marry?", "t"),
        ],
    ),
    "hobby": (
        "I started {hobby} {when2}, to get away from screens.",
        "And, is it relaxing?",
        "Mostly. I have finished {n2} already, and one hangs at {spot}.",
        [
            ("What new hobby does {n} have?", "t"),
            ("How many pieces has {n} completed?", "a"),
            ("Why did {n} take up {hobby}?", "t"),
            ("Where is {n}'s work shown?", "a"),
        ],
    ),
    "money": (
        "I sold my {vehicle} for {n3}0, I want to save up for {dream}.",
        "Good plan! How long will it take?",
        "About {n2} months, if I stop buying {stuff}.",
        [
            ("What is {n} saving for?", "t"),
            ("How much did {n} get for the {vehicle}?", "t"),
            ("What must {n} give up to save money?", "a"),
            ("How long will {n} save?", "a"),
        ],
    ),
}
SLOTS = {
    "bread": ["sourdough", "cinnamon rolls", "a plum tart", "rye bread", "croissants", "an apple strudel", "pretzels", "a carrot cake"],
    "daypart": ["Saturday", "Sunday morning", "my day off", "Friday night", "the long weekend", "Tuesday"],
    "thing": ["postcard", "kite", "lantern", "clarinet case", "teapot", "telescope", "ladder", "raincoat", "quilt", "compass", "birdcage", "wooden spoon", "map", "scarf"],
    "pet": ["a three-legged cat", "two rabbits", "an old beagle", "a parrot", "a greyhound", "a pair of ferrets", "a tortoise"],
    "petname": ["Pickle", "Biscuit", "Comet", "Juno", "Waffle", "Moss", "Tofu", "Pixel", "Bramble", "Noodle"],
    "colour": ["white", "brown", "grey", "ginger", "black"],
    "when": ["yesterday", "last week", "two days ago", "last Friday", "last month", "on Monday", "this morning", "last weekend"],
    "when2": ["last spring", "January", "a few weeks ago", "the summer", "last month", "my birthday"],
    "soon": ["next month", "on the first", "next week", "in June", "in three weeks", "after the holidays"],
    "sight": ["the fish market", "the tram museum", "a tiny jazz bar", "the cliffs", "the botanical garden", "the old harbour", "a lighthouse", "the night train"],
    "job": ["a nurse", "a sound engineer", "a carpenter", "head of accounts", "a data analyst", "a park ranger", "a translator", "a pastry chef", "a physics teacher"],
    "firm": ["small brewery", "hospital", "theatre", "start-up for bicycles", "publisher", "bank", "shipyard", "toy maker"],
    "skill": ["Portuguese", "patience", "driving licence", "portfolio", "drawing", "experience with children", "welding", "spreadsheets"],
    "odd": ["their coffee machine", "penguins", "the weather forecast", "old radios", "the price of bread", "cricket", "fungi", "night shifts"],
    "course": ["pottery", "salsa", "Italian", "archery", "first aid", "welding", "watercolour", "self-defence", "beekeeping"],
    "weekday": ["Monday", "Tuesday", "Wednesday", "Thursday"],
    "n2": list("345678"), "n3": [str(n) for n in range(21, 180, 7)],
    "race": ["harbour run", "half marathon", "charity ten kilometres", "forest trail", "night run", "city relay"],
    "spot": ["the mill", "the old brewery", "the station", "the canal", "my gym", "the library", "the river bridge", "the university"],
    "feature": ["a roof terrace", "a bathtub", "a view over the park", "a garage", "a big kitchen", "a fireplace", "no traffic noise"],
    "instrument": ["cello", "trumpet", "accordion", "drums", "banjo", "piano", "flute", "double bass"],
    "tune": ["waltz", "sonata", "tango", "lullaby", "march", "blues"],
    "composer": ["Satie", "Piazzolla", "Bach", "Grieg", "a local band", "Gershwin"],
    "illness": ["a torn ligament", "a gluten allergy", "high blood pressure", "tinnitus", "asthma", "a slipped disc", "anaemia"],
    "cure": ["Swimming twice a week", "Tablets every morning", "Lots of sleep", "Physiotherapy", "A special diet", "An inhaler"],
    "food": ["cheese", "coffee", "chocolate", "pasta", "red meat", "nuts"],
    "plant": ["tomatoes", "runner beans", "strawberries", "sunflowers", "chilli peppers", "basil", "roses"],
    "animal": ["pigeons", "snails", "squirrels", "aphids", "cats"],
    "book": ["The Salt Ledger", "Winter Orchard", "A Map of Small Rivers", "The Ninth Bell", "Glass Harvest", "Letters to the Tide"],
    "profession": ["plumber", "violinist", "retired pilot", "locksmith", "baker", "geologist", "bus driver", "librarian", "vet"],
    "charity": ["the animal shelter", "the food bank", "a soup kitchen", "the refugee centre", "the hospice", "a repair café", "the beach clean-up"],
    "stuff": ["clothes", "vinyl records", "canned soup", "takeaway food", "old toys", "sneakers", "blankets", "gadgets"],
    "vehicle": ["motorbike", "van", "bicycle", "scooter", "car", "campervan", "canoe"],
    "kinw": ["sister", "brother", "cousin", "best friend", "aunt", "boss"],
    "venue": ["barn", "lighthouse", "town hall", "vineyard", "tent by the lake", "castle", "brewery"],
    "drink": ["cider", "olive oil", "elderflower syrup", "red wine", "mead"],
    "hobby": ["woodcarving", "embroidery", "model trains", "calligraphy", "birdwatching", "pottery", "origami", "photography"],
    "dream": ["a sailing boat", "a piano", "a trip to Japan", "my own workshop", "a master's degree", "a greenhouse"],
    }  # fmt: skip
HELLO = [
    "Hey {o}! How have you been?",
    "Hi {o}, long time no talk!",
    "{o}! Good to hear from you. What's new?",
    "Hey {o}, how was your week?",
]
HELLO_BACK = [
    "Hi {s}! Pretty busy, but good. You?",
    "Hey {s}! Can't complain. How about you?",
    "{s}! I was just thinking of you. All fine here.",
]
PRAISE = [
    "That's wonderful, {s}!",
    "Wow, {s}, that sounds great.",
    "Oh, that's so cool!",
    "I'm really happy for you, {s}.",
    "Nice one!",
    "That must have been something.",
]
CHAT = [
    "Thanks, {o}! Your support means a lot.",
    "I know, right? Life is full of surprises.",
    "Totally. We should do something together soon.",
    "By the way, have you seen how cold it got?",
    "I keep telling everybody about it.",
    "Take care, {o}! Talk soon.",
    "Let's catch up again next week.",
    "You always know what to say, {o}.",
    "It's important to make time for the things you love.",
    "Same here. Some days are just like that.",
]


ECHO = [
    "I always wanted to try that. {x} sounds just right for you, {s}.",
    "{x}, really? I would love to hear more about it some time, it is rare to meet somebody who does that.",
    "My {kin3} had something like that once, with {x} and all. It did not end well, but we laughed a lot.",
    "I remember you talking about {x} when we met at the lake, and now it is real!",
    "You should send me a photo of {x}, I want to show it at work.",
]
LONGER = [
    "I had been putting it off for ages, but then I thought, if not now, when?",
    "There were so many people around that I could hardly hear myself think, and still I loved every minute.",
    "I made a list of everything that could go wrong, and only half of it did.",
    "It reminds me of when we were younger and had time for everything.",
    "I was up half the night thinking about it, and in the morning it was clear what to do.",
    "I still have to tell my family, they will not believe it.",
    "Everybody was so friendly and patient with me, which helped a lot.",
    "The weather was awful, of course, but that did not spoil it.",
    "It is a small step, but it matters to me, you know?",
]


def slots_of(rnd):
    s = {key: rnd.choice(values) for key, values in SLOTS.items()}
    s["city"] = rnd.choice(PLACES)
    s["kin"] = "my " + rnd.choice(KIN)
    s["kin2"] = "my " + rnd.choice(KIN)
    return s


def people(number, rnd):
    a, b = rnd.sample(NAMES, 2)
    items, questions = [], []
    at = datetime(2022, rnd.randint(1, 12), rnd.randint(1, 28), rnd.randint(8, 20))
    plans = []
    for who, other in ((a, b), (b, a)):
        for subject in SUBJECTS:
            for _ in range(rnd.choice((1, 1, 2, 3))):
                plans.append((who, other, subject))
    rnd.shuffle(plans)
    count = 0
    session = 0
    lists = {}

    def say(who, text):
        nonlocal count
        count += 1
        items.append(
            {
                "id": f"p{number}:{count}",
                "text": text,
                "speaker": who,
                "session": f"p{number}/S{session}",
                "at": (at + timedelta(minutes=count % 500)).isoformat(),
            }
        )
        return items[-1]["id"]

    while plans:
        session += 1
        say(a, rnd.choice(HELLO).format(o=b))
        say(b, rnd.choice(HELLO_BACK).format(s=a))
        for _ in range(rnd.randint(2, 5)):
            if not plans:
                break
            who, other, subject = plans.pop()
            told, asks, answer, asked = SUBJECTS[subject]
            s = slots_of(rnd)
            names = {"s": who, "o": other}
            head = rnd.choice(
                [
                    "",
                    "",
                    f"Hey {other}, guess what! ",
                    "So, ",
                    f"{rnd.choice(FEEL)}: ",
                    "Oh, before I forget: ",
                ]
            )
            tail = rnd.choice(
                [
                    "",
                    f" {rnd.choice(FEEL)}.",
                    f" {rnd.choice(LONGER)}",
                    f" {rnd.choice(LONGER)} {rnd.choice(FEEL)}!",
                ]
            )
            one = say(who, head + told.format_map({**s, "n": who}) + tail)
            if rnd.random() < 0.3:
                say(other, rnd.choice(PRAISE).format(**names))
                say(who, rnd.choice(CHAT).format(**names))
            used = [
                s[key]
                for key in re.findall(r"\{(\w+)\}", told + answer)
                if key in SLOTS and key not in ("n2", "n3", "when", "when2", "soon")
            ]
            echo = {"x": rnd.choice(used or ["it"]), "kin3": rnd.choice(KIN), **names}
            say(
                other,
                rnd.choice(
                    [
                        "",
                        rnd.choice(PRAISE).format(**names) + " ",
                        rnd.choice(ECHO).format(**echo) + " ",
                    ]
                )
                + asks,
            )
            two = say(
                who,
                answer.format_map({**s, "n": who})
                + rnd.choice(["", f" {rnd.choice(FEEL)}.", f" {rnd.choice(LONGER)}"]),
            )
            say(
                other,
                rnd.choice(
                    [
                        rnd.choice(PRAISE).format(**names),
                        rnd.choice(PRAISE).format(**names) + " " + rnd.choice(ECHO).format(**echo),
                    ]
                ),
            )
            if rnd.random() < 0.6:
                say(
                    who,
                    rnd.choice(
                        [
                            rnd.choice(CHAT).format(**names),
                            rnd.choice(CHAT).format(**names) + " " + rnd.choice(LONGER),
                        ]
                    ),
                )
            lists.setdefault((who, subject), []).append(one)
            said = rnd.choice(used or [""])
            for text, wants in rnd.sample(asked, 2):
                if said and rnd.random() < 0.5 and said not in text:
                    text = text[:-1] + f" {rnd.choice(['with', 'and', 'after', 'about'])} {said}?"
                gold = [one] * ("t" in wants) + [two] * ("a" in wants)
                wrong = rnd.random() < 1 / 6
                questions.append(
                    (
                        text.format_map({**s, "n": other if wrong else who}),
                        gold,
                        "wrong speaker" if wrong else "one",
                    )
                )
        say(b, rnd.choice(CHAT).format(s=b, o=a))
        say(a, rnd.choice(CHAT).format(s=a, o=b))
        at += timedelta(days=rnd.randint(3, 20))
    for (who, subject), places in lists.items():
        if len(places) > 1:
            text = {
                "trip": "Which places has {n} visited?",
                "bake": "What has {n} baked so far?",
                "class": "What courses has {n} signed up for?",
                "race": "What races has {n} run?",
                "hobby": "What hobbies did {n} start?",
                "music": "What instruments does {n} play?",
                "book": "What books has {n} read?",
                "help": "Where has {n} volunteered?",
                "pet": "What pets does {n} have?",
            }.get(subject)
            if text:
                questions.append((text.format(n=who), places, "list"))
    now = (at + timedelta(days=5)).isoformat()
    return {
        "id": f"people-{number}",
        "items": items,
        "questions": [
            {"id": f"p{number}q{k}", "text": t, "category": c, "evidence": g, "now": now}
            for k, (t, g, c) in enumerate(questions)
        ],
    }


# -- a person and an assistant ----------------------------------------------------------------

# Topic: (parts of the work, what is used, who is involved)
TOPICS = {
    "a budgeting app": (
        "login page;expense chart;transaction list;database schema;unit tests;password reset;deployment;error handling;category filter;monthly report",
        "Flask;SQLite;Bootstrap;Chart.js;pytest;Docker;React;PostgreSQL",
        "code reviewer;mentor;tester;designer",
    ),
    "a novel": (
        "opening chapter;villain's backstory;dialogue in the harbour scene;ending;outline;title;blurb;pacing of the middle;map of the island;character names",
        "Scrivener;index cards;Google Docs;a voice recorder;Grammarly",
        "editor;writing group;agent;beta reader",
    ),
    "moving house": (
        "packing list;mortgage offer;removal van;kitchen renovation;school places;insurance;address changes;garden fence;energy certificate;furniture budget",
        "a spreadsheet;Trello;a shared calendar;a floor plan app",
        "solicitor;estate agent;landlord;surveyor",
    ),
    "job hunting": (
        "resume;cover letter;portfolio site;salary negotiation;interview practice;networking event;reference letters;skills section;job alerts;career goals",
        "LinkedIn;Notion;Canva;a mock interview app",
        "recruiter;former manager;career coach;classmate",
    ),
    "learning statistics": (
        "conditional probability;Bayes' theorem;coin toss problems;normal distribution;hypothesis tests;regression;confidence intervals;sample size;combinatorics;exam preparation",
        "R;Python;a textbook;flash cards;Khan-style videos",
        "professor;study partner;tutor;classmate",
    ),
    "a wedding": (
        "guest list;seating plan;caterer;photographer;wedding dress;invitations;honeymoon;speech;music for the dance;flowers",
        "a spreadsheet;Pinterest;a planning checklist;WhatsApp group",
        "fiancé;wedding planner;best man;mother-in-law",
    ),
    "a fitness plan": (
        "running schedule;knee pain;protein intake;sleep routine;swimming technique;rest days;weigh-ins;meal prep;warm-up;race entry",
        "Strava;a smartwatch;MyFitnessPal;a foam roller",
        "physiotherapist;trainer;running club;doctor",
    ),
    "a small bakery": (
        "pricing;supplier of flour;opening hours;loyalty cards;hygiene inspection;shop sign;online orders;staff rota;tax return;Christmas menu",
        "Square;Excel;Instagram;QuickBooks",
        "accountant;landlord;first employee;business partner",
    ),
    "a research paper": (
        "abstract;literature review;data cleaning;figures;statistical analysis;rebuttal letter;methods section;conference talk;citations;co-author order",
        "LaTeX;Zotero;Overleaf;matplotlib",
        "supervisor;second author;reviewer;lab manager",
    ),
    "a holiday in Japan": (
        "rail pass;hotel in Osaka;visa;vegetarian restaurants;packing;travel insurance;day trip to Nara;language basics;phone plan;museum tickets",
        "Google Maps;a phrase book;Airbnb;a budget sheet",
        "travel companion;sister;hotel owner;tour guide",
    ),
    "a home network": (
        "router placement;firewall rules;backup server;wifi password;guest network;smart lights;VPN;slow upload;parental controls;cable routing",
        "OpenWrt;a Raspberry Pi;Pi-hole;Synology",
        "provider's hotline;flatmate;neighbour;electrician",
    ),
    "caring for my father": (
        "medication plan;care assistant;power of attorney;stair lift;doctor's appointments;meals on wheels;memory exercises;pension papers;visiting schedule;emergency contacts",
        "a pill box;a shared calendar;a baby monitor",
        "brother;social worker;neurologist;care assistant",
    ),
}
USER_TELLS = [
    "I'm working on the {part} for {topic} and I want it done by {date}, can you help me plan the steps?",
    "I've set aside {money} for the {part}, do you think that is realistic given everything else that I still have to do?",
    "{person}, my {role}, said on {date} that the {part} needs more work, how should I respond to that?",
    "I decided to use {tool} for the {part} because it seemed the simplest choice, what should I watch out for?",
    "I finished {num} of {num2} items of the {part} by {date}, so I'm wondering how to catch up with the rest.",
    "I'm kinda worried about the {part}, I have only {num} hours a week for it since my {role} {person} is away until {date}.",
    "I met {person} at a workshop on {date} and we talked about the {part} for {num} hours, what would be a good follow-up?",
    "My {role} {person} suggested {tool} for the {part}, but I'd rather keep it simple, how do they compare?",
]
USER_PREFERS = [
    (
        "I prefer {style} when it comes to the {part}, so can you suggest something that fits?",
        [
            "Can you help me with the {part}?",
            "What would you suggest for the {part} of {topic}?",
            "How should I go on with the {part}?",
        ],
    ),
    (
        "Always {rule} when I ask about the {part}.",
        [
            "Can you explain how the {part} works?",
            "What should I know about the {part}?",
            "How do I improve the {part}?",
        ],
    ),
]
STYLES = [
    "short bursts of work over long sessions",
    "mornings over evenings",
    "free tools over paid ones",
    "a minimalist look",
    "written checklists over calls",
    "trying things out over reading manuals",
    "local suppliers over online shops",
    "plain language over jargon",
]
RULES = [
    "give numbers in a table",
    "mention the costs",
    "include an example",
    "keep the answer under five sentences",
    "name the source",
    "list the risks first",
    "use metric units",
    "warn me about deadlines",
]
UPDATES = [
    (
        "I said the {part} would cost {money}, but the final figure is {money2} after talking to {person}.",
        "How much does the {part} cost?",
    ),
    ("The date for the {part} moved to {date2}, since {person} is ill.", "When is the {part} due?"),
    (
        "I've now finished {num3} items of the {part}, a lot more than before.",
        "How many items of the {part} have I finished?",
    ),
]
DENIALS = [
    (
        "I've never done anything about the {part} before, where do I start?",
        "Have I worked on the {part} before?",
    )
]
ASKED = {
    0: [
        "When do I want the {part} done?",
        "What is my deadline for the {part}?",
        "By which date should the {part} be ready?",
    ],
    1: [
        "How much did I set aside for the {part}?",
        "What is my budget for the {part}?",
        "How much money have I planned for the {part}?",
    ],
    2: [
        "What did {person} say about the {part}?",
        "When did my {role} comment on the {part}?",
        "Who told me that the {part} needs more work?",
    ],
    3: [
        "Which tool did I choose for the {part}?",
        "What am I using for the {part}?",
        "Why did I pick {tool}?",
    ],
    4: ["How many items of the {part} have I finished?", "How far am I with the {part}?"],
    5: [
        "How many hours a week do I have for the {part}?",
        "Until when is {person} away?",
        "Why was I worried about the {part}?",
    ],
    6: [
        "Where did I meet {person}?",
        "When did I meet {person}?",
        "How long did I talk with {person} about the {part}?",
    ],
    7: ["What did {person} recommend for the {part}?", "Which tool did my {role} suggest?"],
}
FILLER = [
    "That makes sense, can you give me an example of the {part}?",
    "Thanks, that helps. What should I do first?",
    "Could you also write a short checklist for the {part}?",
    "I'm not sure I understand the second point about the {part}, can you explain it differently?",
    "OK, I'll try that. Anything else I should know about the {part} and the {part2}?",
    "How would you combine the {part} with the {part2}?",
    "Sounds good, let's look at the {part2} next.",
]
OPEN = [
    "Absolutely! Let's look at the {part} step by step.",
    "That's a great question about the {part}.",
    "It's completely understandable to think about the {part} now.",
    "Certainly! Here is how you could approach the {part} for {topic}.",
    "Good idea. When you work on the {part}, a clear plan helps.",
    "I'm glad you asked. The {part} is an important piece of {topic}.",
]
ADVICE = [
    "**Set a clear goal**: write down what the {part} should achieve and by when, so that you can measure progress.",
    "**Break it into steps**: split the {part} into small tasks of one or two hours and put them into your calendar.",
    "**Talk to {role}s early**: ask your {role} for feedback on the {part} before you spend too much time on details.",
    "**Use the right tool**: {tool} works well for the {part}, but a simple list is often enough in the beginning.",
    "**Watch the budget**: keep a reserve of ten to fifteen percent, since the {part} tends to cost more than planned.",
    "**Review every week**: look at what you have finished, what is late, and what you can drop without harm.",
    "**Keep notes**: record each decision about the {part} and the reason for it, which saves discussion later.",
    "**Plan for delays**: if somebody is ill or a delivery is late, know in advance which part of the {part} can wait.",
    "**Test early**: try a small version of the {part} with real people and write down what confuses them.",
    "**Look after yourself**: long days help nobody; regular breaks keep your mind clear and your mood stable.",
    "**Compare options**: write two or three alternatives for the {part} side by side with their costs and risks.",
    "**Ask for examples**: other people have solved the {part} before you, and a good example is worth an hour of theory.",
]
CLOSE = [
    "Would you like me to go deeper into one of these steps for the {part}?",
    "By following these steps you should make steady progress with the {part}. Let me know how it goes!",
    "If you tell me more about {topic}, I can adapt the plan.",
    "Good luck with the {part}, and feel free to ask if anything is unclear!",
]
AHEAD = [
    "I was going through my plans again. ",
    "Remind me, please. ",
    "We talked about this a while ago. ",
    "For the report that I am writing: ",
]
OTHERWISE = {
    "login page": "sign-in form", "expense chart": "graph of my spending", "transaction list": "list of payments", "database schema": "tables", "unit tests": "automated checks", "deployment": "release",
    "opening chapter": "beginning of my book", "villain's backstory": "history of the bad guy", "ending": "last chapter", "outline": "plot plan", "title": "name of my book", "blurb": "text on the back cover",
    "packing list": "boxes", "mortgage offer": "loan", "removal van": "truck", "kitchen renovation": "works in the kitchen", "furniture budget": "money for tables and beds", "garden fence": "boundary outside",
    "resume": "CV", "cover letter": "application letter", "salary negotiation": "talk about pay", "interview practice": "mock interviews", "networking event": "meetup", "career goals": "professional plans",
    "coin toss problems": "exercises with heads and tails", "exam preparation": "getting ready for the test", "sample size": "number of participants", "guest list": "people we invite", "caterer": "food for the party",
    "wedding dress": "gown", "speech": "toast", "running schedule": "jogging plan", "knee pain": "sore leg", "protein intake": "diet", "sleep routine": "bedtime habits", "meal prep": "cooking ahead",
    "pricing": "prices", "opening hours": "times when the shop is open", "shop sign": "board over the door", "tax return": "taxes", "staff rota": "shifts", "abstract": "summary of the paper",
    "literature review": "related work", "rebuttal letter": "answer to the referees", "rail pass": "train ticket", "visa": "entry permit", "travel insurance": "cover for the trip", "backup server": "machine for copies",
    "wifi password": "key of the wireless", "slow upload": "poor speed", "medication plan": "list of pills", "care assistant": "carer", "doctor's appointments": "medical visits", "stair lift": "chair for the stairs",
}  # fmt: skip
MONTHS = (
    "January February March April May June July August September October November December".split()
)


def chats(number, rnd):
    items, questions = [], []
    count = 0
    session = 0
    at = datetime(2024, rnd.randint(1, 6), rnd.randint(1, 28), 9)
    topics = rnd.sample(sorted(TOPICS), rnd.choice((1, 2, 3)))

    def date():
        return f"{rnd.choice(MONTHS)} {rnd.randint(1, 28)}"

    def say(who, text):
        nonlocal count
        count += 1
        items.append(
            {
                "id": f"c{number}:{count}",
                "text": text,
                "speaker": who,
                "session": f"c{number}/B{session}",
                "at": at.isoformat(),
            }
        )
        return items[-1]["id"]

    def reply(s, text=""):
        lines = rnd.sample(ADVICE, rnd.randint(3, 9))
        again = (
            text.partition(",")[0]
            .replace("I'm ", "you are ")
            .replace("I've ", "you have ")
            .replace("I ", "you ")
            .replace("My ", "your ")
            .replace(" my ", " your ")
        )
        mirror = (
            [
                rnd.choice(
                    [
                        "So {0}: that is a good starting point.",
                        "Since {0}, a few things matter most.",
                        "You mentioned that {0}. Let's build on that.",
                    ]
                ).format(again)
            ]
            if again
            else []
        )
        return "\n\n".join(
            [
                rnd.choice(OPEN),
                *mirror,
                *(f"{n}. {one}" for n, one in enumerate(lines, 1)),
                rnd.choice(CLOSE),
            ]
        ).format_map(s)

    told = {}
    work = []
    for topic in topics:
        parts = TOPICS[topic][0].split(";")
        for part in parts:
            for kind in rnd.sample(range(8), rnd.randint(2, 4)):
                work.append((topic, part, kind))
            if rnd.random() < 0.5:
                work.append((topic, part, "prefer"))
            if rnd.random() < 0.2:
                work.append((topic, part, "deny"))
    rnd.shuffle(work)
    # what is amended comes later than what it amends
    for topic in topics:
        for part in TOPICS[topic][0].split(";"):
            if rnd.random() < 0.5:
                work.insert(rnd.randint(0, len(work) // 3), (topic, part, "update"))
    while work:
        session += 1
        for _ in range(rnd.randint(8, 16)):
            if not work:
                break
            topic, part, kind = work.pop()
            all_parts, tools, roles = (x.split(";") for x in TOPICS[topic])
            s = {
                "topic": topic,
                "part": part,
                "part2": rnd.choice(all_parts),
                "tool": rnd.choice(tools),
                "role": rnd.choice(roles),
                "person": rnd.choice(NAMES),
                "date": date(),
                "date2": date(),
                "money": f"${rnd.randint(2, 90) * 50}",
                "money2": f"${rnd.randint(2, 90) * 50}",
                "num": str(rnd.randint(2, 9)),
                "num2": str(rnd.randint(10, 30)),
                "num3": str(rnd.randint(10, 40)),
                "style": rnd.choice(STYLES),
                "rule": rnd.choice(RULES),
            }
            if kind == "prefer":
                text, asked = rnd.choice(USER_PREFERS)
                one = say("user", text.format_map(s))
                questions.append((rnd.choice(asked).format_map(s), [one], "preference"))
            elif kind == "deny":
                text, asked = DENIALS[0]
                one = say("user", text.format_map(s))
                questions.append(
                    (asked.format_map(s), [one, *told.get((topic, part), [])[:1]], "contradiction")
                )
            elif kind == "update":
                text, asked = rnd.choice(UPDATES)
                one = say("user", text.format_map(s))
                questions.append(
                    (
                        asked.format_map(s),
                        [one, *told.get((topic, part), [])[:1]] if rnd.random() < 0.5 else [one],
                        "update",
                    )
                )
            else:
                one = say("user", USER_TELLS[kind].format_map(s))
                other = OTHERWISE.get(part, part) if rnd.random() < 0.6 else part
                asked = rnd.choice(ASKED[kind]).format_map({**s, "part": other})
                questions.append(
                    (rnd.choice(AHEAD) + asked if rnd.random() < 0.3 else asked, [one], "one")
                )
                told.setdefault((topic, part), []).append(one)
            two = say("assistant", reply(s, items[-1]["text"] if rnd.random() < 0.6 else ""))
            told.setdefault((topic, part, "both"), []).extend((one, two))
            while rnd.random() < 0.45:
                say("user", rnd.choice(FILLER).format_map(s))
                say("assistant", reply(s))
        at += timedelta(days=rnd.randint(2, 25))
    for key, places in told.items():
        if len(key) == 3 and rnd.random() < 0.35:
            questions.append(
                (
                    rnd.choice(
                        [
                            "Can you summarize how I worked on the {0} over time?",
                            "In what order did I bring up matters of the {0}?",
                            "How did the {0} develop?",
                        ]
                    ).format(key[1]),
                    places if rnd.random() < 0.4 else places[::2],
                    "summary",
                )
            )
        elif len(key) == 3 and rnd.random() < 0.3:
            questions.append(
                (
                    rnd.choice(
                        [
                            "What steps did you recommend for the {0}?",
                            "What did you advise me about the {0}?",
                        ]
                    ).format(key[1]),
                    places[1:2],
                    "advice",
                )
            )
    now = (at + timedelta(days=3)).isoformat()
    return {
        "id": f"chats-{number}",
        "items": items,
        "questions": [
            {"id": f"c{number}q{k}", "text": t, "category": c, "evidence": g, "now": now}
            for k, (t, g, c) in enumerate(questions)
        ],
    }


def write(folder: Path, seed: int = 1) -> list[Path]:
    """Both sets, as files in a folder."""
    files = []
    for name, make, count in (("people", people, 12), ("chats", chats, 12)):
        rnd = random.Random(f"{name} {seed}")
        files.append(folder / f"{name}.jsonl.gz")
        with gzip.open(files[-1], "wt", encoding="utf-8") as file:
            for number in range(count):
                file.write(json.dumps(make(number, rnd), ensure_ascii=False) + "\n")
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    write(Path(options.folder), options.seed)


if __name__ == "__main__":
    main()
