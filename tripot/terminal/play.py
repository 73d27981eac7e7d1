"""A game in the terminal: one person against bots. This loop contains no rules of any game."""

from __future__ import annotations

import contextlib
import hashlib
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rich.console import Console, Group
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from tripot.bots.bot import PolicyBot
from tripot.bots.memory import new_memory
from tripot.coach.chances import chances
from tripot.coach.hint import hint
from tripot.coach.reasons import in_words
from tripot.coach.words import percent
from tripot.core.guide import Forced
from tripot.core.rulebook import Clause, rule_book
from tripot.core.shared_seed import Seed
from tripot.core.speech import Phrase, say
from tripot.games.outside import VARIABLE
from tripot.table.choice import Choice
from tripot.table.record import record_of
from tripot.table.table import Offer, Table
from tripot.terminal import news, rules, text
from tripot.terminal.answer_matching import fold, is_number, matching
from tripot.terminal.board import find_board
from tripot.terminal.game_file import GameFile
from tripot.terminal.guide import GuideText
from tripot.terminal.players import Player

with contextlib.suppress(ImportError):  # optional: lets the arrow keys edit and recall answers
    import readline  # noqa: F401

PROMPT = "> "
MOST_THINGS = 8  # that may lie in one hidden place: the likeliest are printed
REASONED = 3  # choices of a hint whose reasons are printed


class Leave(Exception):
    """Raised when the person leaves the table; the game is saved."""


class Made(NamedTuple):
    """One decision of a choice in progress: its sentence, and a word of warning or nothing."""

    label: str
    warning: str


class Session:
    """One person at one table, from the deal to the saved record."""

    def __init__(
        self, table: Table, players: Sequence[Player], lang: str, file: GameFile, console: Console, called: str = ""
    ) -> None:
        self.table, self.game, self.lang = table, table.game, lang
        self.called = called or table.game.name  # as the person named it: `module:GAME` finds a game of another package
        self.players, self.names = players, [player.name for player in players]
        self.seat = next(seat for seat, player in enumerate(players) if player.bot is None)
        self.file, self.console = file, console
        self.board = find_board(table.game)
        self.guide = GuideText(table.game, self.names, lang)
        self.thought = False  # whether a slow bot has already decided once
        mine = [number for number, (seat, _) in enumerate(table.decisions, start=1) if seat == self.seat]
        self.told = mine[-1] if mine else 0  # news of earlier decisions has been told

    # --- The game ---

    def play(self) -> None:
        """Plays until the game is over or the person leaves. Saves in every case, even on a signal."""
        try:
            with contextlib.suppress(Leave, EOFError):
                self.play_on()
            with signals_ignored():
                self.save()
        except BaseException:  # a closing terminal ends the input and sends a signal just before the save
            with signals_ignored():
                self.save()
            raise

    def play_on(self) -> None:
        self.welcome()
        while not self.table.over:
            bots = [seat for seat in self.table.waiting if seat != self.seat]
            if bots:
                self.let_bot_decide(bots[0])
            else:
                self.let_person_decide()
        self.show_end()

    def let_bot_decide(self, seat: int) -> None:
        """Lets a bot decide from its view. Its seed follows from table and sequence: a resumed game plays alike."""
        bot, offer = self.players[seat].bot, self.table.offer(seat)
        assert bot is not None
        memory = new_memory(decision_seed(self.table.seed, self.table.sequence), seat)
        with self.thinking(seat):
            action = bot.decide(self.table.view(seat), offer.legal, memory)
        self.table.decide(seat, action, offer.sequence)

    def thinking(self, seat: int) -> contextlib.AbstractContextManager[object]:
        """Shows that a slow bot is thinking; bots that decide at once show nothing."""
        if isinstance(self.players[seat].bot, PolicyBot) or not self.console.is_terminal:
            return contextlib.nullcontext()
        words, self.thought = text.THINKS_AGAIN if self.thought else text.THINKS_FIRST, True
        return self.console.status(words(self.lang).format(name=self.names[seat]))

    def let_person_decide(self) -> None:
        """Asks until a choice is complete, then sends it to the table. What has one answer is not asked."""
        offer = self.table.offer(self.seat)
        if self.answers_itself(offer):
            self.table.decide(self.seat, offer.legal, offer.sequence)
            return
        choice = Choice(self.game, self.table.view(self.seat), offer.legal)
        self.tell_news()
        self.show_table(choice.view)
        self.console.print(Text(self.guide.goals(choice.view), "italic"))
        made: list[Made] = []
        while not (choice.finished and self.confirm(choice, made)):
            if not choice.finished:
                self.ask(choice, made)
        self.table.decide(self.seat, choice.decisions, offer.sequence)

    def answers_itself(self, offer: Offer) -> bool:
        """Whether there is one answer and the moment does not matter. Bots cannot tell how fast it was given."""
        guide = self.game.guide
        if len(offer.legal) != 1 or guide is None:
            return False
        return guide.forced(self.table.seen(self.seat), offer.legal[0]) is not Forced.ASKED

    # --- Questions and answers ---

    def ask(self, choice: Choice, made: list[Made]) -> None:
        """Asks for one partial decision, or takes one back."""
        labels = self.labels(choice)
        self.show_question(choice, labels, made)
        while True:
            typed = self.read()
            if fold(typed) in text.UNDO.words:
                if self.undo(choice, made):
                    return
            elif fold(typed) in text.HINT.words:
                self.show_hint(choice)
            elif fold(typed) in text.CHANCES.words:
                self.show_chances(choice)
            elif typed.startswith("?"):
                self.explain(choice, labels, typed[1:].strip())
            elif typed:
                found = self.understand(typed, labels)
                if found is not None:
                    action = choice.legal[found]
                    made.append(Made(labels[found], self.guide.warning(choice.view, action, choice.legal)))
                    choice.add(action)
                    return

    def confirm(self, choice: Choice, made: list[Made]) -> bool:
        """Shows a choice of several decisions, or one that may be a mistake, once more before it is final.

        Returns False if one was taken back.
        """
        if len(made) == 1 and not made[0].warning:
            return True
        self.say(text.YOUR_CHOICE, style="bold")
        for label, warning in made:
            self.console.print(f"  {label}")
            if warning:
                self.console.print(Text(f"  {warning}", "bold yellow"))
        while True:
            typed = self.read(text.CONFIRM(self.lang) + " " + PROMPT)
            if not typed:
                return True
            if fold(typed) in text.UNDO.words:
                self.undo(choice, made)
                return False

    def show_hint(self, choice: Choice) -> None:
        """Ranks the choices by games played on from tables that the person could be sitting at."""
        with self.console.status(text.IMAGINING(self.lang)):
            found = hint(self.game, choice.seen, choice.legal)
        for place, one in enumerate(found):
            chance, low, high = (
                percent(round(1000 * part), 1000, self.lang) for part in (one.chance, one.low, one.high)
            )
            row = Text(f"  {text.HINTED(self.lang).format(chance=chance, low=low, high=high)}  ")
            row.append(", ".join(self.parts(choice, one.actions)))
            self.console.print(row.append(f" · {text.AS_GOOD(self.lang)}", "dim") if place and one.level else row)
            for reason in in_words(self.game, one.reasons, self.lang) if place < REASONED else []:
                self.console.print(Text(f"      {reason}", "dim"))

    def show_chances(self, choice: Choice) -> None:
        """Tells what may lie in the places that the person does not see."""
        with self.console.status(text.IMAGINING(self.lang)):
            found = chances(self.game, choice.seen)
        if not found:
            self.say(text.NOTHING_HIDDEN)
        for one in sorted(found, key=lambda one: (one.seat is None, one.seat)):
            names = self.game.text.NAMES[one.place.names]
            label = one.place.label(self.lang)
            if not one.place.one:
                label = text.AT_LEAST_ONE(self.lang).format(label=label)
            things = [f"{names[thing](self.lang)} {self.chance(chance)}" for thing, chance in one.ranked[:MOST_THINGS]]
            name = text.ON_THE_TABLE(self.lang) if one.seat is None else self.names[one.seat]
            self.console.print(Text(text.MAY_LIE(self.lang).format(name=name, label=label, things=" · ".join(things))))
            if out := ", ".join(names[thing](self.lang) for thing in one.ruled_out):
                self.console.print(Text(f"    {text.RULED_OUT(self.lang).format(things=out)}", "dim"))

    def chance(self, share: float) -> str:
        return text.CERTAIN(self.lang) if share == 1 else percent(round(1000 * share), 1000, self.lang)

    def parts(self, choice: Choice, actions: Sequence[int]) -> list[str]:
        """The parts of a whole choice as sentences, each from what the person would see then."""
        said = []
        for action in actions:
            said.append(self.label(choice.view, action)[0])
            choice = choice.followed_by(action)
        return said

    def undo(self, choice: Choice, made: list[Made]) -> bool:
        if not choice.undo():
            self.say(text.NOTHING_TO_UNDO)
            return False
        made.pop()
        return True

    def understand(self, typed: str, labels: list[str]) -> int | None:
        """Returns the index of the decision that was typed. Prints why and returns None if there is no single match."""
        if is_number(typed):
            if 1 <= int(typed) <= len(labels):
                return int(typed) - 1
            self.say(text.NO_SUCH_NUMBER, number=typed, last=len(labels))
            return None
        found = matching(typed, labels)
        if len(found) == 1:
            return found[0]
        self.say(text.SEVERAL_MATCH if found else text.NO_MATCH, typed=typed)
        for index in found:
            self.console.print(f"  {index + 1}  {labels[index]}")
        return None

    def read(self, prompt: str = PROMPT) -> str:
        """Reads a line, and carries out commands until it gets an answer."""
        while True:
            typed = input(prompt).strip()
            if not sys.stdin.isatty():
                print(typed)  # a terminal echoes what is typed, a transcript needs it printed
            if not self.obey(fold(typed)):
                return typed

    def obey(self, typed: str) -> bool:
        """Carries out a general command. Returns False if `typed` is not one."""
        word, _, rest = typed.partition(" ")
        if word in text.QUIT.words:
            raise Leave
        if word in text.SAVE.words:
            self.save()
        elif word in text.LOG.words:
            self.console.print(Group(*self.story(0)))
        elif word in text.RULES.words:
            self.show_rules(rest)
        elif word in text.TABLE.words:
            self.show_table(self.game.layout.view_of(self.table.view(self.seat).tobytes()))
        elif word in text.HELP.words:
            self.show_help()
        else:
            return False
        return True

    # --- Output ---

    def say(self, phrase: Phrase, style: str = "", soft_wrap: bool = False, **holes: Any) -> None:
        self.console.print(Text(phrase(self.lang).format(**holes), style), soft_wrap=soft_wrap)

    def welcome(self) -> None:
        title, tagline = self.game.text.TITLE(self.lang), self.game.text.TAGLINE(self.lang)
        self.console.print(Rule(Text(text.HEADING(self.lang).format(title=title, tagline=tagline), "bold")))
        self.say(text.WELCOME, name=self.names[self.seat], seat=self.seat + 1, seats=self.table.seats)
        self.say(
            text.AGAINST, bots=", ".join(f"{player.name} ({player.bot.name})" for player in self.players if player.bot)
        )
        if not isinstance(self.table.seed, int):
            self.say(text.SEED_HASH, soft_wrap=True, hash=self.table.seed.hash)
        if self.table.decisions:
            self.say(text.RESUMED, count=self.table.sequence)

    def story(self, since: int) -> list[Text]:
        return news.tell(self.game, self.table.news(self.seat, since), self.names, self.lang, self.seat)

    def tell_news(self) -> None:
        """Prints the news since the last time."""
        self.console.print()
        for line in self.story(self.told):
            self.console.print(Padding(line, (0, 0, 0, 1)))
        self.console.print()
        self.told = self.table.sequence + 1

    def show_table(self, view: Any) -> None:
        self.console.print(self.board.draw(view, self.names, self.lang, self.console.width))

    def show_question(self, choice: Choice, labels: list[str], made: list[Made]) -> None:
        view = choice.view
        if made:
            self.say(text.SO_FAR, "dim", made=", ".join(label for label, _ in made))
        self.console.print(self.board.hand(view, self.names, self.lang))
        for line in self.guide.knowledge(view):
            self.console.print(Text(line, "dim"))
        self.console.print(Text(self.question(view), "bold"))
        for number, (action, label) in enumerate(zip(choice.legal, labels, strict=True), start=1):
            hint, _ = self.guide.hint(view, action)
            row = Text.assemble((f"{number:3}", "bold cyan"), f"  {label}")
            self.console.print(row.append(f" · {hint}", "dim") if hint else row)

    def question(self, view: Any) -> str:
        words = self.game.text
        return say(words.QUESTIONS[view.phase], (), words.NAMES, self.names, self.lang)

    def labels(self, choice: Choice) -> list[str]:
        """Returns the legal decisions as sentences."""
        return [self.label(choice.view, action)[0] for action in choice.legal]

    def label(self, view: Any, action: int) -> tuple[str, str]:
        """Returns a decision as a sentence, and the clauses behind it."""
        words = self.game.text
        key, numbers = words.decision(view, action)
        return say(words.DECISIONS[key], numbers, words.NAMES, self.names, self.lang), words.DECISIONS[key].clause

    def explain(self, choice: Choice, labels: list[str], which: str) -> None:
        """Prints the clauses behind the question and all its decisions, or behind one decision."""
        view, chosen, numbers = choice.view, choice.legal, [self.game.text.QUESTIONS[choice.view.phase].clause]
        found = self.understand(which, labels) if which else None
        if which and found is None:
            return
        if found is not None:
            chosen, numbers = [choice.legal[found]], []
        self.console.print(Text(labels[found] if found is not None else self.question(view), "bold"))
        for action in chosen:
            numbers += [self.label(view, action)[1], self.guide.hint(view, action)[1]]
        self.show_clauses(numbers)

    def show_clauses(self, numbers: Sequence[str]) -> None:
        book = rule_book(self.game)
        clauses: dict[str, Clause] = {number: book[number] for some in numbers for number in some.split()}
        for clause in clauses.values():
            self.console.print(rules.show_clause(self.game, clause, self.lang))

    def show_rules(self, number: str) -> None:
        try:
            found = rules.find_clauses(self.game, number) if number else []
        except rules.NoSuchClause as missing:
            self.say(text.NO_SUCH_CLAUSE, number=missing, sections=", ".join(rules.sections(self.game)))
            return
        if found:
            self.console.print(rules.show_clauses(self.game, found, self.lang))
        else:
            self.console.print(rules.show_contents(self.game, self.lang))

    def show_help(self) -> None:
        self.say(text.NUMBER_OR_WORDS)
        for command in text.COMMANDS:
            self.console.print(Text.assemble((f"  {command.words[0]:6}", "bold cyan"), command.help(self.lang)))

    def show_end(self) -> None:
        """Prints the last news, the final table and how the result adds up."""
        self.tell_news()
        view = self.game.layout.view_of(self.table.view(self.seat).tobytes())
        self.show_table(view)
        self.console.print(Rule(Text(text.THE_END(self.lang), "bold")))
        outcome = self.table.outcome(self.seat)
        if outcome and outcome.said:
            self.console.print(Text(self.guide.line(outcome.said), "bold"))
        reached = [self.guide.line(said) for said in outcome.reached] if outcome else []
        items = [told.item for told in self.table.news(self.seat)]
        self.console.print(self.board.score(view, items, reached, self.names, self.lang))

    def save(self) -> None:
        """Saves the record and prints the name of the file."""
        try:
            self.file.save(record_of(self.table, [player.notation for player in self.players]))
        except OSError as error:
            self.say(text.NOT_SAVED, reason=error.strerror or str(error))
            return
        self.console.print()
        name = shlex.quote(str(self.file.path))
        if self.table.over or isinstance(self.table.seed, int):  # until the end nobody needs a secret one
            self.say(text.SEED, soft_wrap=True, seed=self.table.seed)
        self.say(text.SAVED, soft_wrap=True, file=self.file.path)
        if self.table.over:
            found = f"{VARIABLE}={shlex.quote(self.called)} " if self.called != self.game.name else ""
            self.say(text.TO_REPLAY, soft_wrap=True, command=f"{found}tripot replay {name}")
        else:
            command = f"tripot play {shlex.quote(self.called)} --resume {name}"
            self.say(text.TO_RESUME, soft_wrap=True, command=command)


@contextlib.contextmanager
def signals_ignored() -> Iterator[None]:
    """Ignores stop signals inside the block."""
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), signal.SIG_IGN) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def decision_seed(seed: Seed, sequence: int) -> int:
    """Returns a separate seed for each decision of a game."""
    return int.from_bytes(hashlib.blake2b(f"{seed} {sequence}".encode(), digest_size=8).digest())
