"""The forward pass of a policy network, one row at a time, in native code: compiled by `core.jit`.

Weights lie by input, so that the inner loop adds a scaled row and the compiler can vectorise it. Most encoded columns
are 0, and so is half of each hidden layer: their rows are skipped.
"""


def add_layer(row, weights, bias, out):
    """out = row × weights + bias"""
    for j in range(len(out)):
        out[j] = bias[j]
    for i in range(len(row)):
        x = row[i]
        if x != 0:
            line = weights[i]
            for j in range(len(out)):
                out[j] += x * line[j]


def rectify(row):
    for j in range(len(row)):
        row[j] = max(row[j], 0)


def hidden_layers(row, inputs, blocks, hidden, middle, more):
    """Leaves the last hidden layer in `hidden`."""
    add_layer(row, inputs[0], inputs[1], hidden)
    rectify(hidden)
    first, first_bias, second, second_bias = blocks
    for block in range(len(first)):
        add_layer(hidden, first[block], first_bias[block], middle)
        rectify(middle)
        add_layer(middle, second[block], second_bias[block], more)
        for j in range(len(hidden)):
            hidden[j] = max(hidden[j] + more[j], 0)


def best_action(row, inputs, blocks, policy, mask, hidden, middle, more, logits):
    """The legal action with the largest logit; `mask` and actions are turned."""
    hidden_layers(row, inputs, blocks, hidden, middle, more)
    add_layer(hidden, policy[0], policy[1], logits)
    best = -1
    for action in range(len(logits)):
        if mask[action] and (best < 0 or logits[action] > logits[best]):
            best = action
    return best
