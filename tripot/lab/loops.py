from tripot.lab.playout import play_uniform
deal = legal = apply = None
def play_many(states, raw, options, seats, seed, games, mask, memory, tally):
    s = states[0]
    for i in range(games):
        for b in range(len(raw)):
            raw[b] = 0
        play_uniform(s, options[0], seats, seed + i, mask, memory[0], tally)
