"""What says that something moved, switched or rose is told in nine languages' ways of saying it.

Modules: clauses.
"""

from __future__ import annotations

import pytest

from cogmem.language.changes import plainly
from cogmem.language.clash import clash
from cogmem.language.clauses import fold


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Ich bin nach Linz gezogen", "ich moved to linz"),
        ("Der Termin wurde auf Donnerstag verschoben", "der termin moved to donnerstag"),
        ("Wir sind von Jenkins auf GitLab umgestiegen", "wir switched from jenkins to gitlab"),
        ("Le bureau a déménagé à Nantes", "le bureau moved to nantes"),
        ("On est passé de Slack à Teams", "on switched from slack to teams"),
        ("Me he mudado a Valencia", "i moved to valencia"),
        ("Pasamos de Jenkins a GitLab", "switched from jenkins to gitlab"),
        ("O escritório mudou para a Avenida Paulista", "o escritorio moved to avenida paulista"),
        ("La riunione è stata spostata al giovedì", "la riunione moved to giovedi"),
        ("Het kantoor is verhuisd naar Utrecht", "het kantoor moved to utrecht"),
        ("The budget went up to 8k", "the budget moved to 8k"),
        ("Lunch is at one from now on", "lunch is at one now"),
        ("Marta owns billing", "marta owns billing"),
    ],
)
def test_a_change_is_put_in_one_way(said: str, plain: str) -> None:
    assert plainly(fold(said).lower()) == plain


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ich wohne in Graz", "Ich bin nach Linz gezogen"),
        ("Der Preis ist 5 Euro", "Der Preis ist auf 6 Euro gestiegen"),
        ("Marta ist für Einkauf zuständig", "Für Einkauf ist ab jetzt Jonas zuständig"),
        ("Le bureau est à Lyon", "Le bureau a déménagé à Nantes"),
        ("Le loyer est de 800 euros", "Le loyer est passé à 900 euros"),
        ("Vivo en Murcia", "Me he mudado a Valencia"),
        ("Moro no Porto", "Mudei para Braga"),
        ("Abito a Torino", "Mi sono trasferita a Bari"),
        ("La riunione è il martedì", "La riunione è stata spostata al giovedì"),
        ("Ik woon in Delft", "Ik ben naar Leiden verhuisd"),
        ("Wij deployen op dinsdag", "Wij deployen voortaan op donderdag"),
        ("The budget for ads is 5k a month", "The ads budget went up to 8k a month"),
        ("I'm allergic to peanuts", "Turns out I'm not allergic to peanuts after all"),
    ],
)
def test_what_says_that_something_changed_takes_the_place_of_what_was(old: str, new: str) -> None:
    found = clash(old, new, corrects=new.startswith("Turns out"))
    assert found is not None
    assert found.replaces


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Ann lebt in Graz", "Bob ist nach Linz gezogen"),
        ("Das Büro ist in Graz", "Das Lager ist nach Linz gezogen"),
        ("Le bureau est à Lyon", "L'entrepôt a déménagé à Nantes"),
        ("Vivo en Murcia", "Mi hermana se ha mudado a Valencia"),
        ("Wij deployen op dinsdag", "Wij vergaderen voortaan op donderdag"),
        ("Il server di test gira su Debian", "Il server di produzione ora gira su Ubuntu"),
        ("The ads budget is 5k a month", "The travel budget went up to 8k a month"),
        ("The basic plan costs 5 euros", "The price of the pro plan rose to 9 euros"),
        ("The import runs at 2 am", "The export moved to 3 am"),
        ("A sala fica no segundo andar", "A cozinha mudou para o terceiro andar"),
    ],
)
def test_a_change_of_one_thing_leaves_the_others(old: str, new: str) -> None:
    found = clash(old, new)
    assert found is None or not found.replaces
