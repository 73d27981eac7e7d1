"""Names of players: nothing invisible, and no two at a table that look the same."""

import pytest

from tripot import GAMES
from tripot.web.api.names import cleaned, distinct
from tripot.web.live.seating import BOT_NAMES, bot_seat

GAME = next(iter(GAMES.values()))


@pytest.mark.parametrize(
    "name",
    [
        *[
            "",
            " ",
            "\x00",
            "a\x00",
            "\u3164",
            "\u2800",
            "\uffa0",
            "\u115f",
            "\u1160",
            "\u034f",
            "\ufe0f",
            "\u200b",
            "\u202e",
        ],
        *[
            "Anna\u3164",
            "An\u2800na",
            "A\u034fnna",
            "\u0301",
            "\u0301Anna",
            "Anna \u0301",
            "a\u0301\u0302\u0303",
            "A\u20dd",
        ],
        *["\U0001d159", "Anna\U00016fe4", "Anna\u2d7f"],
        *["a" + "\u0336" * 20, "\u00ad", "\ue000", "\ud800"],
    ],
    ids=ascii,
)
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="a name"):
        cleaned(name)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        *[
            (name, name)
            for name in (
                "Anna",
                "Zoé",
                "Nguyễn",
                "สมชาย ใจดี",
                "दीपिका",
                "李雷",
                "김철수",
                "Ἀθηνᾶ",
                "O'Neill",
                "🂡",
                "שָׁלוֹם",
            )
        ],
        ("  Jean \t Paul ", "Jean Paul"),
        ("Zoe\u0301", "Zoé"),
        ("❤\ufe0f", "❤"),
    ],
)
def test_names_of_every_script_are_kept_in_one_form(given: str, shown: str) -> None:
    assert cleaned(given) == shown


@pytest.mark.parametrize(
    ("name", "other", "shown"),
    [
        ("Anna", "Bo", "Anna"),
        *[("Anna", other, "Anna 2") for other in ("Anna", "anna", "An na", "Аnnа", "Ａｎｎａ")],
        ("Bill", "BiIl", "Bill 2"),
        *[("Zoë", "Zoё", "Zoë 2"), ("Anaïs", "Anaїs", "Anaïs 2"), ("Jó", "Jό", "Jó 2"), ("Bo", "Bօ", "Bo 2")],
        *[("Anna", "Ɑnna", "Anna 2"), ("Anna", "ɑnna", "Anna 2"), ("Lia", "ǀia", "Lia 2")],
        *[("ANNA", "ꓮNNA", "ANNA 2"), ("Bob", "Ᏼob", "Bob 2")],
        ("Otto", "0tto", "Otto 2"),
        ("Νikos", "Nikos", "Νikos 2"),
        ("Lia", "Ila", "Lia"),
        ("Zoé", "Zoe", "Zoé"),
    ],
)
def test_no_two_players_look_the_same(name: str, other: str, shown: str) -> None:
    assert distinct(name, [other, None]) == shown


def test_a_third_of_the_same_name_is_told_apart_too() -> None:
    assert distinct("Anna", ["Anna", "anna2"]) == "Anna 3"


def test_no_bot_looks_like_a_player() -> None:
    others = [name.upper() for name in BOT_NAMES[1:]]
    assert {bot_seat(GAME, 0, "easy", others).name for _ in range(20)} == {BOT_NAMES[0]}
