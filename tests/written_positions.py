"""A position of each game written by hand: it names only what matters, and the game works out the rest."""

BY_HAND = {
    "verrater": """
        game: verrater   # the last round: North builds
        seats: 4
        round: 8
        phase: build
        waiting: north
        role_kept: builder farmer traitor diplomat-5
        role_shown: builder farmer traitor diplomat-5
        set_aside: strategist
        middle: diplomat-2
        hand north: 3 5 8
        hand east: 2 2
        hand south: none
        hand west: 4
        building: estate none office
        owner: north north north
        """,
    "trok": """
        game: trok
        seats: 2
        turn: 3
        phase: combine
        waiting: alvis
        mover: alvis
        hand alvis: 3×ration lantern
        hand brokk: armour helmet
        offer alvis: none
        """,
    "trieste": """
        game: trieste
        options: factions=watch_merchant_thief
        turn: 4
        stage: play
        phase: play
        waiting: south
        active: thief
        hand north: 3×copper bloodhound
        hand east: silver bodyguard
        hand south: copper street-urchin pickpocket
        placed: bloodhound bodyguard
        face_down: 2 2
        """,
}
