"""Trieste: Watch, Merchant and Thief. The game as one object, and how a seat imagines hidden cards."""

from pathlib import Path

from tripot.core.game import IMAGINATION, Evaluation, Game, SmallGame, Stages
from tripot.core.pile import bag_size, take_random
from tripot.core.rng import roll, seed_luck
from tripot.games.trieste import evaluation, heuristic, text
from tripot.games.trieste.actions import NUM_ACTIONS
from tripot.games.trieste.cards import (
    COPPER,
    FACTION_BACK,
    FACTIONS,
    GOLD,
    HEROES,
    KINDS,
    MERCHANT,
    OWN_TITLES,
    PLAYABLE,
    SEATS,
    SILVER,
    THIEF,
    TITLES,
    TREASURE_BACK,
    TREASURES,
    UNDERCOVER_AGENT,
    VERB,
    WATCH,
    Hero,
    Verb,
    card_at,
    kind_of,
)
from tripot.games.trieste.effects import goes_next
from tripot.games.trieste.guide import GUIDE
from tripot.games.trieste.hidden import HIDDEN
from tripot.games.trieste.lessons import LESSONS
from tripot.games.trieste.notation import NOTATION
from tripot.games.trieste.phases import apply, deal, decide, legal, may_pay, settle, settle_step, step_kind
from tripot.games.trieste.quantities import QUANTITIES
from tripot.games.trieste.small import SmallOptions, deal_small
from tripot.games.trieste.state import FIELDS, Options, Phase, is_prey, unseen_treasures
from tripot.games.trieste.teaching import TEACHING

FRESH, OLDER = 0, 1  # treasures drawn from the present deck, and those in hands since before it was shuffled


def imagine(view, s, seed):
    """Fills in what the seat does not see, with the probabilities that its view implies."""
    seed_luck(s, seed, IMAGINATION)
    for seat in range(SEATS):
        if seat != view.seat:
            imagine_hero(view, s, seat)
            while not imagine_cards(view, s, s.faction[seat]):  # the real cards are one solution, so this loop ends
                pass
    gather_cards(view, s, s.faction[view.seat])
    imagine_target(view, s)
    while not imagine_treasure(view, s):
        pass
    for seat in range(SEATS):
        if seat != view.seat:
            imagine_mind(view, s, seat)
    seed_luck(s, roll(s, 1 << 31), IMAGINATION + 1)  # future random numbers


def imagine_hero(view, s, seat):
    """A hidden hero may be any of three; one turned down for good is The Fox. [T-6.1]"""
    faction = s.faction[seat]
    if view.hero_up[faction] > 0:
        s.hero[seat] = view.hero_up[faction]
    elif view.hero_hidden[faction]:
        s.hero[seat] = 1 + HEROES * faction + roll(s, HEROES)
    elif s.heroes and view.phase != Phase.HERO:
        s.hero[seat] = Hero.FOX


# --- Faction cards: unseen ones are equally likely to be in hand or deck -------


def imagine_cards(view, s, faction):
    """Deals another player's faction cards. Returns False if they contradict the current phase."""
    gather_cards(view, s, faction)
    seat = s.seat_of[faction]
    hand = s.hand[seat]
    unknown = view.hand_size[faction][FACTION_BACK]
    if view.face_down[faction] == 1 + FACTION_BACK:
        unknown += 1
    clean = view.clean if faction == THIEF else 0
    for kind in range(TREASURES, KINDS):
        known = view.my_knows[faction][kind]
        hand[kind] = known
        unknown -= known
        if faction == THIEF and not is_prey(s, kind, s.reach[UNDERCOVER_AGENT]):
            clean -= known
    for dealt in range(unknown):
        title = random_clean(s) if dealt < clean else take_random(s, s.deck[faction], bag_size(s.deck[faction]))
        hand[TREASURES + title] += 1
    if faction == THIEF and is_threatened(view) and count_prey(s) == 0:
        return False
    return view.face_down[faction] != 1 + FACTION_BACK or lay_face_down(s, faction, TREASURES, KINDS)


def gather_cards(view, s, faction):
    """Puts all of a faction's cards that the seat does not see into the deck."""
    for title in range(OWN_TITLES[faction]):
        kind = TREASURES + title
        card = card_at(faction, kind)
        unseen = view.copies[card] - view.discard[faction][title] - view.my_knows[faction][kind]
        if view.table[faction] == card:
            unseen -= 1
        if faction == view.faction[view.seat]:
            unseen -= view.my_hand[kind]
            if view.my_placed == card:
                unseen -= 1
        if faction == THIEF:
            unseen -= view.captured[title]
        if faction == MERCHANT:
            for number in range(2):
                if view.bargain[number] == card:
                    unseen -= 1
            for place in range(view.under_size):
                if view.under[place] == kind:
                    unseen -= 1
        s.deck[faction][title] = unseen


def random_clean(s):
    """Takes a Thief card out of the deck that Undercover Agent could not have captured."""
    clean = 0
    for title in range(TITLES):
        if not is_prey(s, TREASURES + title, s.reach[UNDERCOVER_AGENT]):
            clean += s.deck[THIEF][title]
    left = roll(s, clean)
    title = 0
    while is_prey(s, TREASURES + title, s.reach[UNDERCOVER_AGENT]) or left >= s.deck[THIEF][title]:
        if not is_prey(s, TREASURES + title, s.reach[UNDERCOVER_AGENT]):
            left -= s.deck[THIEF][title]
        title += 1
    s.deck[THIEF][title] -= 1
    return title


def lay_face_down(s, faction, first, end):
    """Places one of the playable cards from kind `first` on face down. Returns False if there is none. [T-3.2]"""
    seat = s.seat_of[faction]
    playable = 0
    for kind in range(first, end):
        if PLAYABLE[card_at(faction, kind)]:
            playable += s.hand[seat][kind]
    if playable == 0:
        return False
    left = roll(s, playable)
    for kind in range(first, end):
        if PLAYABLE[card_at(faction, kind)]:
            if left < s.hand[seat][kind]:
                s.hand[seat][kind] -= 1
                s.placed[seat] = card_at(faction, kind)
                return True
            left -= s.hand[seat][kind]
    return False


# --- Undercover Agent's secret ------------------------------------------------ [T-7.2]


def is_threatened(view):
    """Whether everyone knows that the Thief holds someone to capture."""
    return view.phase == Phase.SEIZE or (view.phase == Phase.REACT and VERB[view.resolving] == Verb.INFILTRATE)


def count_prey(s):
    count = 0
    for kind in range(TREASURES, KINDS):
        if is_prey(s, kind, s.reach[s.resolving]):
            count += s.hand[s.seat_of[THIEF]][kind]
    return count


def imagine_target(view, s):
    """The Merchant does not know whom Undercover Agent is about to capture."""
    if view.phase == Phase.REACT and VERB[view.resolving] == Verb.INFILTRATE:
        kind = view.my_target
        if view.faction[view.seat] == MERCHANT:
            left = roll(s, count_prey(s))
            kind = TREASURES - 1
            while left >= 0:
                kind += 1
                if is_prey(s, kind, s.reach[s.resolving]):
                    left -= s.hand[s.seat_of[THIEF]][kind]
        s.target[s.seat_of[WATCH]] = kind
        s.target[s.seat_of[THIEF]] = kind


# --- Treasure: older cards lie in hands, fresh ones in hands or deck ---------- [T-2.3]


def imagine_treasure(view, s):
    """Deals the treasure that the seat does not see. Returns False if it contradicts the current phase."""
    for kind in range(TREASURES):
        s.loose[FRESH][kind] = 0
        s.loose[OLDER][kind] = view.my_older[kind]
        s.treasure_deck[kind] = view.my_fresh[kind]
    for kind in range(TREASURES):
        if not settle_seen(view, s, kind):
            return False
    imagine_aside(view, s)
    draw_loose(view, s)
    split_loose(view, s)
    for seat in range(SEATS):
        if seat != view.seat and not deal_dear(view, s, seat):
            return False
    for seat in range(SEATS):
        faction = s.faction[seat]
        if seat != view.seat:
            for _ in range(s.slots[seat][FRESH] + s.slots[seat][OLDER]):
                deal_treasure(s, seat, COPPER)
            if view.face_down[faction] == 1 + TREASURE_BACK and not lay_face_down(s, faction, COPPER, GOLD):
                return False
    return fits_question(view, s)


def settle_seen(view, s, kind):
    """Decides for treasures that turned up whether they were older or fresh. Returns False if there is no way."""
    turned_up = s.loose[OLDER][kind] + s.treasure_deck[kind] - unseen_treasures(s, view.seat, kind)
    for _ in range(turned_up):
        fresh = bag_size(s.treasure_deck)
        older = s.loose[OLDER][kind] * fresh
        newer = s.treasure_deck[kind] * (fresh - view.treasure_size - fresh_aside(view))
        if older + newer == 0:
            return False
        if roll(s, older + newer) < older:
            s.loose[OLDER][kind] -= 1
        else:
            s.treasure_deck[kind] -= 1
    return True


def fresh_aside(view):
    """Returns how many treasures another player has drawn from the present deck and not yet sifted."""
    return 0 if view.faction[view.seat] == MERCHANT else max(view.aside_size - view.stale, 0)


def imagine_aside(view, s):
    """What the Merchant has drawn and not yet sifted."""
    if view.faction[view.seat] != MERCHANT:
        aside = s.aside[s.seat_of[MERCHANT]]
        for kind in range(TREASURES):
            aside[kind] = 0
        fresh = fresh_aside(view)
        for _ in range(fresh):
            aside[random_treasure(s, s.treasure_deck, COPPER)] += 1
        for _ in range(view.aside_size - fresh):
            aside[random_treasure(s, s.loose[OLDER], COPPER)] += 1


def draw_loose(view, s):
    """Treasures that left the deck are in the other hands, which must hold a known number of non-coppers."""
    dear = 0
    for seat in range(SEATS):
        if seat != view.seat:
            dear += missing_dear(view, s.faction[seat])
    for _ in range(bag_size(s.treasure_deck) - view.treasure_size):
        short = dear > count_above(s.loose[FRESH], SILVER) + count_above(s.loose[OLDER], SILVER)
        first = SILVER if short and count_above(s.treasure_deck, SILVER) > 0 else COPPER
        s.loose[FRESH][random_treasure(s, s.treasure_deck, first)] += 1


def split_loose(view, s):
    """Draws how many fresh and older treasures each hand has, from what it held at the shuffle, drew since and got
    from the other. If too much has happened for that, takes any split."""
    first = 0 if view.seat != 0 else 1
    second = 3 - view.seat - first
    here = unknown_treasures(view, s.faction[first])
    there = unknown_treasures(view, s.faction[second])
    fresh = bag_size(s.loose[FRESH])
    least = max(fresh - there, 0)
    drawn = least + roll(s, min(here, fresh) - least + 1)
    for _ in range(30):
        lots = draw_lots(view, s, s.faction[first], s.faction[second], here)
        if lots + draw_lots(view, s, s.faction[second], s.faction[first], there) == fresh:
            drawn = lots
            break
    s.slots[first][FRESH] = drawn
    s.slots[first][OLDER] = here - drawn
    s.slots[second][FRESH] = fresh - drawn
    s.slots[second][OLDER] = there - fresh + drawn


def draw_lots(view, s, faction, other, size):
    """Draws how many of the `size` treasures in a hand are fresh: any that ever entered it may have stayed."""
    fresh = view.recent[faction]
    older = view.held[faction]
    for _ in range(view.passed[other][faction]):
        if roll(s, view.recent[other] + view.held[other]) < view.recent[other]:
            fresh += 1
        else:
            older += 1
    drawn = 0
    for _ in range(min(size, fresh + older)):
        if roll(s, fresh + older) < fresh:
            fresh -= 1
            drawn += 1
        else:
            older -= 1
    return drawn


def unknown_treasures(view, faction):
    """Returns how many treasures of another hand, including one face down, the seat does not know."""
    size = view.hand_size[faction][TREASURE_BACK] + (1 if view.face_down[faction] == 1 + TREASURE_BACK else 0)
    return size - count_above(view.my_knows[faction], COPPER)


def count_above(bag, first):
    """Returns the number of treasures of the kind `first` or above."""
    count = 0
    for kind in range(first, TREASURES):
        count += bag[kind]
    return count


def missing_dear(view, faction):
    """Returns how many unknown treasures of a hand cannot be coppers."""
    return max(view.dear[faction] - count_above(view.my_knows[faction], SILVER), 0)


def random_treasure(s, bag, first):
    """Takes a random treasure of the kind `first` or above out of a bag."""
    left = roll(s, count_above(bag, first))
    kind = first
    while left >= bag[kind]:
        left -= bag[kind]
        kind += 1
    bag[kind] -= 1
    return kind


def deal_dear(view, s, seat):
    """Gives another hand its known cards and those that cannot be coppers. Returns False if they are missing."""
    faction = s.faction[seat]
    for kind in range(TREASURES):
        s.hand[seat][kind] = view.my_knows[faction][kind]
    for _ in range(missing_dear(view, faction)):
        if not deal_treasure(s, seat, SILVER):
            return False
    return True


def deal_treasure(s, seat, first):
    """Gives a hand a fresh or older treasure of the kind `first` or above. Returns False if none fits."""
    fresh = s.slots[seat][FRESH] if count_above(s.loose[FRESH], first) > 0 else 0
    older = s.slots[seat][OLDER] if count_above(s.loose[OLDER], first) > 0 else 0
    if fresh + older == 0:
        return False
    age = FRESH if roll(s, fresh + older) < fresh else OLDER
    s.slots[seat][age] -= 1
    s.hand[seat][random_treasure(s, s.loose[age], first)] += 1
    return True


def fits_question(view, s):
    """Whether these treasures allow the open question and the answers given so far."""
    answers = 0
    merchant = s.seat_of[MERCHANT]
    for kind in range(TREASURES):
        if view.phase == Phase.PAY:
            answers += may_pay(s, s.hand[s.seat_of[s.active]], kind, view.my_top)
        elif view.phase == Phase.STRIP or view.phase == Phase.GIVE:
            answers += goes_next(s, s.hand[merchant], kind, view.my_top)
        elif view.phase == Phase.SIFT:
            answers += goes_next(s, s.aside[merchant], kind, view.my_top)
        else:
            return True
    return answers > (1 if view.phase == Phase.PAY else 0)  # a player with one way to pay is not asked [T-7.1]


# --- What other seats know ----------------------------------------------------


def imagine_mind(view, s, seat):
    """The others know what they saw of this hand, and of the third player's hand what all know or a spy saw."""
    mine = s.faction[view.seat]
    theirs = s.faction[seat]
    third = FACTIONS - mine - theirs
    for kind in range(KINDS):
        s.shown[seat][mine][kind] = view.my_knows[theirs][kind]
        s.knows[seat][mine][kind] = view.my_shown[theirs][kind]
        s.knows[seat][third][kind] = view.open[third][kind]
    if (theirs == WATCH and third == THIEF) or (theirs == THIEF and third == MERCHANT):
        recall_spying(view, s, seat, third, TREASURE_BACK, 0, TREASURES)
        recall_spying(view, s, seat, third, FACTION_BACK, TREASURES, KINDS)
    for kind in range(KINDS):
        s.shown[s.seat_of[third]][theirs][kind] = s.knows[seat][third][kind]
    for kind in range(TREASURES):
        unseen = unseen_treasures(s, seat, kind)
        s.fresh[seat][kind] = min(unseen, view.stock[kind])
        s.older[seat][kind] = unseen - s.fresh[seat][kind]
    s.top[seat] = view.my_top
    if view.phase == Phase.GIVE and theirs == THIEF:
        s.top[seat] = KINDS - 1  # the Thief does not see what is given


def recall_spying(view, s, seat, faction, back, first, end):
    """A spy has seen this many cards with this back: any that are still there. [T-5.8]"""
    knows = s.knows[seat][faction]
    known = 0
    held = 0
    for kind in range(first, end):
        known += knows[kind]
        held += holds(s, faction, kind)
    for missing in range(view.seen[faction][back] - known):
        left = roll(s, held - known - missing)
        kind = first
        while left >= holds(s, faction, kind) - knows[kind]:
            left -= holds(s, faction, kind) - knows[kind]
            kind += 1
        knows[kind] += 1


def holds(s, faction, kind):
    """Returns the number of cards of a kind in a hand, including the one face down."""
    seat = s.seat_of[faction]
    return s.hand[seat][kind] + (1 if s.placed[seat] > 0 and kind_of(faction, s.placed[seat]) == kind else 0)


GAME = Game(
    name="trieste",
    seats=(3,),
    rules_version=5,
    fields=FIELDS,
    options=Options,
    num_actions=NUM_ACTIONS,
    deal=deal,
    legal=legal,
    apply=apply,
    imagine=imagine,
    text=text,
    small=SmallGame(SmallOptions, deal_small),
    stages=Stages(decide, settle, settle_step, step_kind),
    heuristic=heuristic.choose,
    evaluation=Evaluation(
        features=evaluation.features,
        feature_count=evaluation.FEATURES,
        turn_of=evaluation.turn_of,
        weights=Path(__file__).with_name("evaluation.npz"),
        turns=3,
        side_of=evaluation.side_of,
        sides=evaluation.SIDES,
    ),
    guide=GUIDE,
    quantities=QUANTITIES,
    hidden=HIDDEN,
    notation=NOTATION,
    lessons=LESSONS,
    teaching=TEACHING,
    board="tripot.terminal.trieste",
    drawing="trieste",
)
