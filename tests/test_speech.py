"""Sentences: numbers in placeholders, singular and plural, French and English."""

import pytest

from tripot.core.grammar import Noun, a, counted, many, of, of_the, the, to_the
from tripot.core.speech import LANGUAGES, Phrase, Sentence, outline, say

NAMES = {"land": (Phrase("no land", "aucun territoire"), Phrase("the moor", "la lande"))}
PLAYERS = ["Ada", "Bo"]


def said(sentence: Sentence, *numbers: int, lang: str = "en") -> str:
    return say(sentence, numbers, NAMES, PLAYERS, lang)


def test_a_phrase_has_two_languages() -> None:
    assert LANGUAGES == ("en", "fr")
    assert Phrase("moor", "lande")("en") == "moor" and Phrase("moor", "lande")("fr") == "lande"


DRAWS = Sentence(
    "X-1.1", "seat number:count", "{seat} draws {count} {count|card|cards}", "{seat} pioche {count|une|des}"
)


@pytest.mark.parametrize(
    ("count", "en", "fr"),
    [
        (0, "Ada draws 0 cards", "Ada pioche une"),  # in French nothing is singular
        (1, "Ada draws 1 card", "Ada pioche une"),
        (2, "Ada draws 2 cards", "Ada pioche des"),
        (11, "Ada draws 11 cards", "Ada pioche des"),
    ],
)
def test_singular_and_plural(count: int, en: str, fr: str) -> None:
    assert said(DRAWS, 0, count) == en
    assert said(DRAWS, 0, count, lang="fr") == fr


def test_places_count_from_one_and_numbers_stay() -> None:
    sentence = Sentence("X-1.1", "place number", "place {place}, {number}", "place {place}, {number}")
    assert said(sentence, 0, 0) == "Place 1, 0"


def test_tables_give_names_and_two_of_the_same_table_are_told_apart() -> None:
    sentence = Sentence("X-1.1", "land:from land:to", "{from} to {to}", "de {from} à {to}")
    assert sentence.holes == [("from", "land"), ("to", "land")]
    assert said(sentence, 1, 0) == "The moor to no land"
    assert said(sentence, 1, 0, lang="fr") == "De la lande à aucun territoire"


def test_a_table_with_a_star_reads_a_bag_of_things() -> None:
    sentence = Sentence("X-1.1", "seat land*:lands", "{seat} holds {lands}", "{seat} tient {lands}")
    assert said(sentence, 0, 0x10) == "Ada holds the moor"
    assert said(sentence, 0, 0xF2) == "Ada holds 2 × no land and 15 × the moor"
    assert said(sentence, 1, 0x21, lang="fr") == "Bo tient aucun territoire et 2 × la lande"
    assert said(sentence, 0, 0) == "Ada holds nothing" and said(sentence, 0, 0, lang="fr") == "Ada tient rien"


def test_as_many_of_one_thing_as_a_number_says() -> None:
    sentence = Sentence("X-1.1", "land number:count", "it is {land*count}", "c'est {land*count}")
    many = NAMES | {"a_land": (Phrase("", ""), Phrase("a moor", "une lande"))}
    many |= {"lands": (Phrase("", ""), Phrase("moors", "landes"))}
    assert [say(sentence, (1, count), many, PLAYERS, "en") for count in (0, 1, 2)] == [
        "It is nothing",
        "It is a moor",
        "It is 2 moors",
    ]
    assert say(sentence, (1, 3), many, PLAYERS, "fr") == "C'est 3 landes"


def test_a_bag_uses_articles_and_plurals_where_the_game_has_them() -> None:
    axes = (
        Noun("axe", "hache", "f", "axes", "haches"),
        Noun("oar", "rame", "f", "oars", "rames"),
        Noun("net", "filet"),
    )
    names = {
        "tool": tuple(Phrase(noun.en, noun.fr) for noun in axes),
        "a_tool": tuple(map(a, axes)),
        "tools": tuple(map(many, axes)),
    }
    sentence = Sentence("X-1.1", "seat tool*:tools", "{seat} has {tools}", "{seat} a {tools}")
    assert say(sentence, (0, 0x121), names, PLAYERS, "en") == "Ada has an axe, 2 oars and a net"
    assert say(sentence, (0, 0x021), names, PLAYERS, "fr") == "Ada a une hache et 2 rames"


def test_articles() -> None:
    assert [a(Noun(word, "")).en for word in ("8", "18", "11", "80", "1", "110", "axe", "Informer", "helmet")] == [
        "an 8", "an 18", "an 11", "an 80", "a 1", "a 110", "an axe", "an Informer", "a helmet"
    ]  # fmt: skip
    eagle, fields, hero = Noun("Eagle", "Aigle", "m"), Noun("meadow", "champs", "p"), Noun("hero", "héros", "m")
    assert [the(noun).fr for noun in (eagle, fields, hero)] == ["l'Aigle", "les champs", "le héros"]
    assert [of_the(noun).fr for noun in (eagle, fields, hero)] == ["de l'Aigle", "des champs", "du héros"]
    assert [to_the(noun).fr for noun in (eagle, fields, hero)] == ["à l'Aigle", "aux champs", "au héros"]
    assert of(Phrase("armour", "armures")) == Phrase("of armour", "d'armures")
    assert (
        the(Noun("Dario", "Dario", proper=True)) == a(Noun("Dario", "Dario", proper=True)) == Phrase("Dario", "Dario")
    )
    coin = Noun("coin", "pièce", "f", "coins", "pièces")
    assert [counted(n, coin) for n in (0, 1, 2)] == [
        Phrase("0 coins", "0 pièce"), Phrase("1 coin", "1 pièce"), Phrase("2 coins", "2 pièces")
    ]  # fmt: skip


def test_a_sentence_begins_with_a_capital_and_names_keep_theirs() -> None:
    sentence = Sentence("X-1.1", "seat land", "{land} goes to {seat}", "{seat} : {land}")
    assert said(sentence, 1, 1) == "The moor goes to Bo"
    assert said(sentence, 1, 1, lang="fr") == "Bo : la lande"
    assert said(Sentence("X-1.1", "", "élan", "élan")) == "Élan"
    assert said(Sentence("X-1.1", "", "", "")) == ""


def test_numbers_beyond_the_sentence_are_left_out() -> None:
    """News carries four numbers; unused ones are zero."""
    assert said(DRAWS, 1, 2, 0, 0) == "Bo draws 2 cards"


def test_a_plural_may_be_empty() -> None:
    sentence = Sentence("X-1.1", "number", "{number} card{number||s}", "{number} carte{number||s}")
    assert [said(sentence, n) for n in (1, 2)] == ["1 card", "2 cards"]
    assert [said(sentence, n, lang="fr") for n in (0, 2)] == ["0 carte", "2 cartes"]


def test_an_undeclared_placeholder_is_an_error() -> None:
    with pytest.raises(KeyError):
        said(Sentence("X-1.1", "seat", "{seat} in {land}", "{seat}"), 0)


def test_an_outline_fills_in_what_is_known_and_leaves_dots_for_the_rest() -> None:
    takes = Sentence("X-1.1", "seat land number:n", "{seat} takes {land} for {n} {n|point|points}", "{land} : {seat}")
    assert outline(takes, {"land": "the moor"}, "en") == "… takes the moor for … points"
    assert outline(takes, {"land": "la lande"}, "fr") == "La lande : …"
    assert outline(takes, {"seat": "ada", "n": "2"}, "en") == "Ada takes … for 2 points"


def test_proper_names_have_no_article_in_english() -> None:
    eagle, fox = Noun("Eagle", "Aigle", "m"), Noun("Antonia", "Antonia", proper=True)
    assert the(eagle) == Phrase("the Eagle", "l'Aigle") and the(fox) == Phrase("Antonia", "Antonia")
    assert a(eagle).en == "an Eagle" and a(fox).en == "Antonia"
