// Random playouts in C++ over OpenSpiel's own game objects, for `tripot bench --peers`.
// Compiled against the headers that OpenSpiel's wheel ships; the games are the wheel's own code.

#include <cstdint>
#include <string>
#include <vector>

#include "open_spiel/spiel.h"
#include "open_spiel/spiel_utils.h"

namespace {

// splitmix64: a cheap generator, so that the games dominate the time.
struct Generator {
  uint64_t state;
  uint64_t Next() {
    uint64_t word = (state += 0x9E3779B97F4A7C15ull);
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
    return word ^ (word >> 31);
  }
  uint64_t Below(uint64_t sides) { return ((Next() >> 32) * sides) >> 32; }
  double Unit() { return (Next() >> 11) * 0x1.0p-53; }
};

}  // namespace

// Plays `games` games and returns the number of player decisions, without chance nodes. `seen` writes the tensor of the
// player to move before every decision. Legal actions are OpenSpiel's list, which is cheaper than its mask.
extern "C" int64_t tripot_play(const char* name, int64_t games, uint64_t seed, int seen) {
  auto game = open_spiel::LoadGame(std::string(name));
  const bool observation = game->GetType().provides_observation_tensor;
  std::vector<float> tensor;
  if (seen) tensor.resize(observation ? game->ObservationTensorSize() : game->InformationStateTensorSize());
  const auto start = game->NewInitialState();
  Generator generator{seed};
  int64_t decisions = 0;
  for (int64_t number = 0; number < games; ++number) {
    auto state = start->Clone();  // faster than a new initial state
    while (!state->IsTerminal()) {
      if (state->IsChanceNode()) {
        state->ApplyAction(open_spiel::SampleAction(state->ChanceOutcomes(), generator.Unit()).first);
        continue;
      }
      const auto legal = state->LegalActions();
      if (seen && observation) {
        state->ObservationTensor(state->CurrentPlayer(), absl::MakeSpan(tensor));
      } else if (seen) {
        state->InformationStateTensor(state->CurrentPlayer(), absl::MakeSpan(tensor));
      }
      state->ApplyAction(legal[generator.Below(legal.size())]);
      ++decisions;
    }
  }
  return decisions;
}
