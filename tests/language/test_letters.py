"""A letter that somebody pasted is not the person's own talk; what stands around it is."""

from __future__ import annotations

import pytest

from cogmem.language.letters import letter_in, without_letter

LETTERS = [
    "Hi Rosa,\nwe moved to Lyon and I prefer calls.\nBest regards,\nKamal\n\nhow do I say no?",
    "Dear tenants,\nfrom now on the gate is locked at nine.\n\nplease draft a short reply",
    "Our new opening hours are nine to five. Kind regards, Nordlicht\n\nis this one serious?",
    "Hallo Jonas,\nich arbeite jetzt in Kiel.\nViele Grüße\nImke\n\nwas schreibe ich zurück?",
    "Hola Inés:\nya no vivo en Lugo. Un abrazo, Breixo\n\n¿qué le digo?",
    "Bonjour Luc,\nj'habite désormais à Metz. Cordialement, Aude\n\nje réponds quoi ?",
    "Oi Bia,\nagora moro em Faro. Abraços, Rui\n\no que eu digo?",
    "Ciao Ugo,\nadesso lavoro a Pisa. Un abbraccio, Nives\n\ncosa dico?",
    "Hoi Fenna,\nik woon nu in Zwolle. Groetjes, Bram\n\nwat zeg ik?",
    "你好小周：\n我现在在深圳上班。祝好，阿明\n\n我怎么回复",
    "高橋さん\n今は仙台で働いています。よろしく、直樹\n\nなんて返せばいい",
]
OWN = [
    "Hi Claude,\nI live in Ghent and I prefer short answers.\nThanks, Bea",
    "I live in Ghent. Thanks, can you find me a plumber?",
    "Hey there,\nalways answer in English.\n\nnow, the port is wrong",
    "We use pnpm here.\n\nBest idea so far: a cache.\n\nwhat do you think",
    "I'm a nurse. Best, Ada\n\nPS: call me Ada",
]


@pytest.mark.parametrize("message", LETTERS)
def test_what_stands_below_a_letter_is_left_of_a_message(message: str) -> None:
    left = without_letter(message)
    assert left.strip() == message.rsplit("\n\n", 1)[1]
    assert len(left) == len(message)  # every place stays as it is


@pytest.mark.parametrize("message", OWN)
def test_a_greeting_or_thanks_alone_make_no_letter_of_somebody_else(message: str) -> None:
    assert letter_in(message) == (0, 0)


def test_what_stands_above_a_letter_stays() -> None:
    message = "I'm allergic to nuts.\n\nDear guests,\nwe serve nuts.\nBest,\nOlaf\n\ncan I go?"
    assert without_letter(message).split("\n\n")[0] == "I'm allergic to nuts."
    assert "serve" not in without_letter(message)
