"""The words that a cue knows: those that say nothing, those of time, and which belong together.

All of it is common English, and none of it is needed: a prompt in another language is searched by
its words alone. Porter stemming, the index's own, brings regular inflections together; what it
keeps apart stands here. A list of groups is one text, searched as text, since building a dictionary
of it would cost every process more than all its look-ups.
"""

from __future__ import annotations

# Words that say nothing of the subject: function words, and the verbs of asking.
ENGLISH = frozenset(
    """
    a about above after again against ain all also am an and any are aren as at be because been
    before being below between both but by can cannot could couldn d did didn do does doesn doing
    don down during each either else ever every few for from further get got had hadn has hasn have
    haven having he her here hers herself him himself his how i if in into is isn it its itself just
    let ll m ma may me might mightn more most must mustn my myself need needn neither no nor not now
    o of off on once only or other our ours ourselves out over own per please re s same shall shan
    she should shouldn so some such t than that the their theirs them themselves then there these
    they this those though through to too under until up upon us ve very was wasn we were weren what
    when where whether which while who whom whose why will with won would wouldn y yes yet you your
    yours yourself yourselves
    mention mentioned mentions tell tells told describe list explain summarize summary summarise say
    says said according discuss discussed talk talked provide give gave show shown walk help
    question answer kind kinds type types sort sorts many much thing things
    http https www com
    """.split()
)
# Of these the ones that are words of no other language that the tables of near words know.
ENGLISH_ALONE = frozenset(
    "the of and what which who where when why how did does my your i they with from about this that is".split()
)
# What follows the apostrophe of "it's" and "don't": it leaves the word before it.
CONTRACTED = frozenset("s t re ve ll d m".split())

# -- time ------------------------------------------------------------------------------------

# Whatever names a day (see days, worded_days) has one of these in it, or a year in digits.
_TIMES = frozenset(
    """
    january jan february feb march mar april apr may june jun july jul august aug september sept sep
    october oct november nov december dec
    januar februar märz mai juni juli oktober dezember
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
    janvier février mars avril juin juillet août septembre octobre novembre décembre
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
    januari februari maart mei augustus
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays
    today tonight yesterday day days night nights morning mornings afternoon afternoons evening
    evenings weekend weekends week weeks month months year years
    an anni anno année années ano anos ans anteayer anteontem antier aralık aralıkta aujourd automne
    autumn autunno ay ayer año años ağustos ağustosta bahar baharda bugün czerwca czerwcu czerwiec
    dag dagen dia dias dni dzień dzisiaj dziś día días dün eergisteren ekim ekimde estate eylül
    eylülde fall frühjahr frühling gestern giorni giorno gisteren grudnia grudniu grudzień gün hafta
    haziran haziranda herbst herfst heute hiver hoje hoy hui ieri ilkbahar ilkbaharda inverno
    invierno jaar jahr jahre jahren jahres jesienią jesień jour jours kasım kasımda kwiecień
    kwietnia kwietniu kış kışın lat lata latem lato lente lipca lipcu lipiec listopad listopada
    listopadzie lutego luty lutym maand maanden maja maju marca marcu mart martta marzec mayıs
    mayısta mes mese meses mesi miesiąc miesiące miesiącu miesięcy mois monat monate monaten monats
    mês nisan nisanda ocak ocakta oggi ontem otoño outono październik października październiku
    primavera printemps przedwczoraj q1 q2 q3 q4 rok roku semaine semaines semana semanas sene
    settimana settimane sierpień sierpnia sierpniu sommer sonbahar sonbaharda spring springtime
    styczeń stycznia styczniu summer summertime tag tage tagen temmuz temmuzda tydzień tygodni
    tygodnie tygodniu vandaag verano verão voorjaar vorgestern wczoraj weken winter wintertime
    wiosna wiosną wiosnę woche wochen wrzesień września wrześniu yaz yazın yıl zima zimą zimę zomer
    été şubat şubatta август августа августе апреле апрель апреля весна весной весну вчера год года
    году декабре декабрь декабря день дней дня зима зимой зиму июле июль июля июне июнь июня лет
    лето летом мае май март марта марте мая месяц месяца месяце месяцев неделе недели недель неделю
    неделя ноябре ноябрь ноября октябре октябрь октября осень осенью позавчера сегодня сентябре
    сентябрь сентября феврале февраль февраля январе январь января
    """.split()
)


APOSTROPHES = ("'", "’")
_UNSPACED_TIMES = frozenset(
    "年月日天周週号前昨去今春夏秋冬년월일주전어작봄름을울"
)  # one is in every date without spaces


def is_of_time(words: list[str]) -> bool:
    """Whether a prompt with these words may name a day."""
    return not _TIMES.isdisjoint(words) or any(
        word[:4].isdecimal()
        or not (word.isascii() or _UNSPACED_TIMES.isdisjoint(word))
        or (word[1:2] in APOSTROPHES and word[2:] in _TIMES)  # l'année
        for word in words
    )


# -- words that belong together --------------------------------------------------------------

# Forms of one word that porter stemming keeps apart, a group between two bars.
FORMS = """
    | begin began begun | break broke broken | bring brought | build built | buy bought | catch
    caught | choose chose chosen choice | come came | draw drew drawn | drink drank drunk | drive
    drove driven | eat ate eaten | fall fell fallen | feel felt | fight fought | find found | fly
    flew flown flight | forget forgot forgotten | forgive forgave forgiven | freeze froze frozen |
    get got gotten | give gave given | go went gone | grow grew grown growth | hear heard | hide
    hid hidden | hold held | keep kept | know knew known knowledge | lay laid | lead led | learn
    learnt | leave left | lend lent | lie lay lain | light lit | lose lost loss | make made | mean
    meant | meet met | pay paid | ride rode ridden | ring rang rung | rise rose risen | run ran |
    see saw seen | seek sought | sell sold sale | send sent | shake shook shaken | shoot shot |
    sing sang sung song | sink sank sunk | sit sat | sleep slept | speak spoke spoken speech |
    spend spent | stand stood | steal stole stolen | stick stuck | strike struck | swear swore
    sworn | sweep swept | swim swam swum | swing swung | take took taken | teach taught | tear
    tore torn | tell told | think thought | throw threw thrown | understand understood | wake woke
    woken | wear wore worn | win won | withdraw withdrew withdrawn | write wrote written | bend
    bent | bind bound | bite bit bitten | bleed bled | blow blew blown | burn burnt | deal dealt |
    dig dug | dream dreamt | feed fed | hang hung | spin spun | child children | man men | woman
    women | person people | foot feet | tooth teeth | mouse mice | wife wives | life lives live |
    knife knives | bad worse worst | good better best | decide decision | strong strength | long
    length | wide width | high height | deep depth | give gift | die death dead | marry marriage |
    believe belief | advise advice | apply application | argue argument | explain explanation |
    describe description | produce product production | receive reception receipt | solve solution
    | succeed success | compete competition | analyse analyze analysis | persuade persuasion |
    prove proof | please pleasure | pursue pursuit | enter entry entrance | arrive arrival |
    propose proposal | refuse refusal | remove removal | renew renewal | survive survival | behave
    behavior behaviour | fail failure | permit permission | admit admission | extend extension |
    expand expansion | conclude conclusion | allergic allergy | hungry hunger | angry anger |
    anxious anxiety | proud pride | poor poverty | true truth | young youth | favorite favourite |
    color colour | organize organise | center centre | theater theatre | travel travelled
    travelling traveled traveling | retire retirement | deliver delivery | discover discovery |
    recover recovery | paint painter | write writer | music musician musical | art artist artwork
    | science scientist scientific | nature natural | politics political politician | medicine
    medical | therapy therapist | photo photograph photographer photography | break breakage |
    configure config configuration | authenticate auth authentication | authorize authorization |
    depend dependency dependencies | deploy deployment | migrate migration |
    """.replace("\n    ", " ")

# Words that people use for one another. `a b : c d` holds one way: a question about pets is
# answered by a dog, a question about a dog is not answered by any pet.
KIN = """
    | kid child son daughter boy girl | mom mum mother mama | dad father papa | grandma
    grandmother granny | grandpa grandfather | sibling : brother sister | parent : mother father
    mom dad | husband wife spouse partner | boyfriend girlfriend partner | friend buddy pal |
    dog puppy pup | cat kitten kitty | movie film | photo picture pic image | painting artwork
    art | book novel | song music track tune | concert gig show | job work career profession |
    boss manager | coworker colleague teammate | company business firm | shop store | house home
    apartment flat | car vehicle | bike bicycle | trip travel vacation holiday journey | hobby
    interest activity pastime | exercise workout fitness | tournament competition contest |
    prize award medal trophy | gift present | party celebration | wedding marriage | baby
    newborn | school college university | class course lesson | teacher instructor professor |
    student pupil | doctor physician | hospital clinic | ill sick | medicine medication | injury
    hurt | sad upset unhappy | happy glad joyful | scared afraid fear | angry mad | tired
    exhausted | stress anxiety | buy purchase | start begin | finish complete end | attempt try
    | aid help assist | fix repair | create make build | obtain get receive | visit attend |
    live reside | move relocate | like love enjoy | hate dislike | want wish | plan intend |
    goal aim objective | suggest recommend advise | meal food dish recipe | dinner supper |
    dessert cake cookie | city town | country nation | beach ocean sea | mountain hike hiking
    trail | forest wood | money cash fund | cost price | rich wealthy | fast quick | big large
    huge | small little tiny | smart clever | pretty beautiful | funny hilarious | pet animal :
    dog cat puppy kitten fish bird hamster rabbit horse | instrument : guitar piano violin cello
    drum flute trumpet | sport : soccer football basketball tennis baseball hockey golf swim run
    cycle surf ski skate volleyball cricket rugby climb | exercise workout : gym yoga run jog
    swim cycle | activity hobby : hike camp paint draw read write swim run cook bake garden
    dance sing game | food dish meal : pasta pizza salad soup chicken rice sandwich steak cake
    bread curry sushi | dessert sweet : cake cookie pie chocolate | drink : coffee tea wine beer
    juice water | color colour : red blue green yellow purple orange pink black white brown |
    family relative : mother father mom dad sister brother son daughter wife husband kid child
    cousin aunt uncle grandma grandpa | job career profession : engineer teacher nurse doctor
    manager developer designer lawyer | vehicle : car truck bike motorcycle van bus | country :
    america canada mexico brazil england france germany italy spain india china japan australia
    | season : summer winter spring autumn fall | weather : rain snow sun storm wind cloud |
    book : author read story | movie film : watch actor director cinema | genre : comedy drama
    romance horror fantasy mystery | music : song band album concert guitar piano sing | game :
    chess puzzle console | clothes clothing : shirt shoe dress jacket hat pants sweater |
    furniture : chair table sofa desk bed couch | trip travel vacation : beach mountain flight
    hotel | emotion feel : happy sad proud anxious excited angry scared grateful nervous |
    health illness : doctor hospital flu cancer surgery | art : painting drawing sculpture
    photography | nature outdoor : hike camp forest mountain beach lake park | charity volunteer
    : donate fundraiser community | event : party festival concert wedding conference workshop
    meeting | city : london paris berlin rome york chicago boston tokyo | school study : class
    course degree exam | error bug issue failure exception | setting option config | login
    signin auth | database db | repository repo | directory folder dir | documentation docs doc
    readme | dependency package library | environment env | variable var | parameter argument
    param arg | function func method | application app | performance perf latency speed |
    specification spec | deployment release rollout | test pytest unittest | credential password
    secret token | message msg | maximum max | minimum min | number num | kubernetes k8s |
    javascript js | typescript ts | python py | frontend ui | backend server | language : python
    rust go java javascript typescript ruby kotlin swift english spanish french german |
    database : postgres postgresql sqlite mysql mongodb redis | framework : react django flask
    fastapi rails express vue angular spring | editor ide : vim emacs vscode neovim pycharm |
    cloud : aws azure gcp kubernetes docker | browser : chrome firefox safari |
    """.replace("\n    ", " ")

_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ves", "fe"),
    ("ed", ""),
    ("ed", "e"),
    ("ied", "y"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
)


_LAST_LETTERS = frozenset(ending[-1] for ending, _ in _ENDINGS)
_listed: set[str] = set()  # every word of the two lists, once it is asked for
_expanded: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
_MOST_EXPANDED = 2_000  # words of which this is kept: those of one agent's prompts come again


def expand(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Other forms of a word, and its kin."""
    found = _expanded.get(word)
    if found is None:
        if len(_expanded) >= _MOST_EXPANDED:
            _expanded.clear()
        found = _expanded[word] = _belonging(word)
    return found


def _belonging(word: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Found in the lists above by plain text search: a table would take a hook too long to build.

    Most words are in none of them, which a set tells in a tenth of the time.
    """
    bases = _bases(word)
    if not _listed:
        _listed.update(FORMS.split(), KIN.split())
    if _listed.isdisjoint(bases):
        return (word,), ()
    forms: dict[str, None] = {word: None}
    kin: dict[str, None] = {}
    for base in bases:
        for group in _groups_with(base, FORMS):
            forms.update(dict.fromkeys(group.split()))
        for group in _groups_with(base, KIN):
            heads, _, members = group.partition(" : ")
            if not members or base in heads.split():
                kin.update(dict.fromkeys((members or heads).split()))
    return tuple(forms), tuple(k for k in kin if k not in forms and k not in bases)


def _bases(word: str) -> list[str]:
    """The word, and what it may be an inflection of."""
    bases = [word]
    if word[-1:] not in _LAST_LETTERS:
        return bases
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 2:
            base = word[: -len(ending)] + instead
            bases.append(base)
            if not instead and len(base) > 3 and base[-1] == base[-2]:
                bases.append(base[:-1])
    return bases


def _groups_with(word: str, groups: str) -> list[str]:
    found = []
    needle = f" {word} "
    at = groups.find(needle)
    while at >= 0:
        end = groups.index("|", at)
        found.append(groups[groups.rindex("|", 0, at) + 1 : end])
        at = groups.find(needle, end)
    return found
