import pytest

from agentdyno.records import InputError
from tests.depth.probes.families_tiny import FAMILIES, sequences, tiny, torch

from agentdyno_depth.probes.families import family_of  # isort: skip
from agentdyno_depth.probes.recording import record_states  # isort: skip


@pytest.mark.parametrize("model_type", FAMILIES)
def test_the_readout_of_the_last_state_is_the_models_own_logits(model_type: str) -> None:
    opened = tiny(model_type)
    (sequence,) = sequences((4, 9))
    (block,) = record_states(opened.model, opened.family, [sequence])
    ours = opened.readout.logits(opened.readout.normalize(block.states[-1]))
    ids = torch.tensor([sequence.prompt + sequence.response])
    with torch.no_grad():
        theirs = opened.model(ids).logits[0, 3:12]
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("model_type", FAMILIES)
def test_states_are_hidden_states_without_the_embedding_and_before_the_norm(
    model_type: str,
) -> None:
    opened = tiny(model_type)
    (sequence,) = sequences((3, 6))
    (block,) = record_states(opened.model, opened.family, [sequence])
    ids = torch.tensor([sequence.prompt + sequence.response])
    with torch.no_grad():
        hidden = opened.model(ids, output_hidden_states=True).hidden_states
    assert len(block.states) == len(hidden) - 1
    for state, expected in zip(block.states[:-1], hidden[1:-1], strict=True):
        torch.testing.assert_close(state, expected[0, 2:8], rtol=1e-4, atol=1e-4)
    # The library norms its last entry; ours is normed by the readout.
    last = opened.readout.normalize(block.states[-1])
    torch.testing.assert_close(last, hidden[-1][0, 2:8], rtol=1e-4, atol=1e-4)


def test_a_model_with_another_way_to_logits_says_what_to_declare() -> None:
    opened = tiny("llama")
    opened.model.config.model_type = "novel"
    opened.model.lm_head.register_forward_hook(lambda module, inputs, logits: 1.5 * logits)
    with pytest.raises(InputError, match=r"(?s)No adapter for models of type 'novel'.*--readout"):
        family_of(opened.model)


def test_a_declared_family_reads_like_a_known_one() -> None:
    opened = tiny("granite")
    family = family_of(opened.model, "decoder=model,norm=model.norm,scale=2.5,soft_cap=none")
    state = torch.randn(3, 32)
    known = opened.readout.logits(opened.readout.normalize(state))
    readout = family.readout(opened.model)
    assert torch.equal(readout.logits(readout.normalize(state)), known)


def test_a_declaration_says_where_the_layers_are() -> None:
    opened = tiny("gpt2")
    declared = "decoder=transformer,layers=transformer.h,norm=transformer.ln_f"
    family = family_of(opened.model, declared)
    assert list(family.layers) == list(opened.family.layers)
    (sequence,) = sequences((3, 6))
    (known,) = record_states(opened.model, opened.family, [sequence])
    (found,) = record_states(opened.model, family, [sequence])
    assert torch.equal(found.states, known.states)


def test_a_declaration_that_misses_the_norm_is_refused() -> None:
    with pytest.raises(InputError, match="expected decoder=PATH,norm=PATH"):
        family_of(tiny("llama").model, "decoder=model")


def test_a_declared_path_that_is_not_there_names_what_is() -> None:
    opened = tiny("llama")
    with pytest.raises(InputError, match="found no 'final'; there are: embed_tokens, layers, norm"):
        family_of(opened.model, "decoder=model,norm=model.final")
