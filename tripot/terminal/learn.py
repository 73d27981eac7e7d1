"""Lessons in the terminal: a real table, one question, and an answer to every decision."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from tripot.core.game import Game
from tripot.core.lesson import Lesson, LessonStep, Tried, sentence_of, steps_of
from tripot.core.speech import Phrase
from tripot.terminal.answer_matching import is_number, matching
from tripot.terminal.board import find_board
from tripot.terminal.text import NO_MATCH, NO_SUCH_NUMBER, NUMBER_OR_WORDS, QUIT, SEVERAL_MATCH

LESSON = Phrase("Lesson {number} of {count}: {title}", "Leçon {number} sur {count} : {title}")
RIGHT = Phrase("Well done. {told} [{clause}]", "Bien joué. {told} [{clause}]")
GO_ON = Phrase("Well done. Go on.", "Bien joué. Continuez.")
WRONG = Phrase("Not this one. {told} [{clause}] Try again.", "Pas celle-ci. {told} [{clause}] Réessayez.")
LEARNT = Phrase(
    "You know the main ideas. Play: tripot play {game}", "Vous savez l'essentiel. Jouez : tripot play {game}"
)


class Leave(Exception):
    """The learner wants to stop."""


def teach(game: Game, lessons: Sequence[Lesson], lang: str, console: Console) -> None:
    """Teaches lessons one after the other, until the learner leaves."""
    console.print(Text(f"{NUMBER_OR_WORDS(lang)} {QUIT.words[0]} : {QUIT.words[2 if lang == 'fr' else 1]}"))
    if len(lessons) == len(game.lessons) and game.teaching:
        for panel in game.teaching.primer:
            console.print(Text.assemble("\n", (panel.title(lang), "bold"), f"\n{panel.text(lang)}"))
    try:
        for number, lesson in enumerate(lessons, start=1):
            console.print()
            heading = LESSON(lang).format(number=number, count=len(lessons), title=lesson.title(lang))
            console.print(Text(heading, style="bold"))
            teach_one(game, lesson, lang, console)
    except (Leave, EOFError):
        console.print()
        return
    if len(lessons) == len(game.lessons):
        console.print(Text(LEARNT(lang).format(game=game.name)))


def teach_one(game: Game, lesson: Lesson, lang: str, console: Console) -> None:
    steps = steps_of(game, lesson)
    board, players = find_board(game), [phrase(lang) for phrase in game.text.SEATS]
    first = game.layout.observe_plain(steps[0].s, steps[0].seat)
    console.print(board.draw(first, players, lang, console.width))
    console.print(board.hand(first, players, lang))
    console.print(Text(lesson.idea(lang)))
    for number, step in enumerate(steps, start=1):
        right = ask_until_right(game, step, lang, console)
        last = number == len(steps)
        told = RIGHT(lang).format(told=right.told(lang), clause=right.clause) if last else GO_ON(lang)
        console.print(Text(told, style="bold"))


def ask_until_right(game: Game, step: LessonStep, lang: str, console: Console) -> Tried:
    """Asks a question until the right decision comes; explains every other one."""
    view = game.layout.observe_plain(step.s, step.seat)
    labels = [sentence_of(game, view, choice.action, lang) for choice in step.choices]
    question = game.text.QUESTIONS[step.s.phase]
    console.print(Text(f"\n{question.fr if lang == 'fr' else question.en} [{question.clause}]"))
    for number, label in enumerate(labels, start=1):
        console.print(Text(f"{number:>3}  {label}"))
    while True:
        chosen = choice_of(input("> ").strip(), labels, lang, console)
        if chosen is None:
            continue
        choice = step.choices[chosen]
        if choice.right:
            return choice
        console.print(Text(WRONG(lang).format(told=choice.told(lang), clause=choice.clause)))


def choice_of(typed: str, labels: Sequence[str], lang: str, console: Console) -> int | None:
    """The index of the choice that was typed; None if there is none."""
    if typed.casefold() in QUIT.words:
        raise Leave
    if is_number(typed):
        if 1 <= int(typed) <= len(labels):
            return int(typed) - 1
        console.print(Text(NO_SUCH_NUMBER(lang).format(number=typed, last=len(labels))))
        return None
    found = matching(typed, labels)
    if len(found) == 1:
        return found[0]
    console.print(Text((SEVERAL_MATCH if found else NO_MATCH)(lang).format(typed=typed)))
    return None
