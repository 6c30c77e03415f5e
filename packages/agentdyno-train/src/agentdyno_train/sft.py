"""Supervised warm-up: the model learns to write what reference plans write.

Takes settings, tasks and a folder, returns the trained model. The loss is over the assistant's
turns and their end tokens, without slips. On TRL's trainer, which has checkpoints and optimizers.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agentdyno.records import InputError
from agentdyno_train.chat_tokens import tokenize_chat
from agentdyno_train.examples import UNLEARNT, Example
from agentdyno_train.loading import load_trainable, require_trl
from agentdyno_train.merged_adapters import narrow_frozen, use_merged_adapters
from agentdyno_train.options import TrainSettings
from agentdyno_train.plans import Conversation
from agentdyno_train.progress import MetricsFile, Progress, callback, last_checkpoint
from agentdyno_train.training_tasks import TrainingTask, conversations


def train_sft(
    settings: TrainSettings,
    training_tasks: Sequence[TrainingTask],
    folder: Path,
    progress: Progress | None = None,
    seconds: float | None = None,
    examples: Sequence[Example] = (),
) -> tuple[Any, Any]:
    """Trains, or goes on from the last checkpoint; `examples` where they were made before."""
    trl = require_trl()
    model, tokenizer = load_trainable(settings)
    _narrow_on_gpu(model, settings)
    use_merged_adapters(model)
    model.register_forward_pre_hook(_without_mask, with_kwargs=True)
    rows = examples or make_examples(training_tasks, settings, tokenizer)
    usable = [row for row in rows if len(row["input_ids"]) <= settings.window]
    if not usable:
        raise InputError(f"expected conversations of at most {settings.window} tokens, found none.")
    metrics = MetricsFile(folder, progress)
    resumed = last_checkpoint(folder)
    metrics.rewind(0 if resumed is None else int(resumed.name.partition("-")[2]))
    trainer = trl.SFTTrainer(
        model=model,
        args=trl.SFTConfig(**arguments(settings, folder) | _log_settings(settings),
                           max_length=settings.window,
                           dataset_kwargs={"skip_prepare_dataset": True},
                           lr_scheduler_type="cosine", warmup_steps=max(1, settings.steps // 20),
                           train_sampling_strategy="group_by_length"),
        train_dataset=_dataset(usable),
        processing_class=tokenizer,
        callbacks=[callback(metrics, dict, seconds)],
    )  # fmt: skip
    trainer.remove_callback(_printer())
    trainer.train(resume_from_checkpoint=None if resumed is None else str(resumed))
    return trainer.model, tokenizer


def _dataset(rows: Sequence[Example]) -> Any:
    from datasets import Dataset

    return Dataset.from_list([row | {"length": len(row["input_ids"])} for row in rows])


def make_examples(
    training_tasks: Sequence[TrainingTask], settings: TrainSettings, tokenizer: Any
) -> list[Example]:
    """Every conversation of a warm-up in tokens."""
    return [example(talk, tokenizer) for talk in conversations(training_tasks, settings)]


def example(talk: Conversation, tokenizer: Any) -> Example:
    """Token ids and labels of one conversation; what is not to be learnt is marked."""
    chat = tokenize_chat(tokenizer, talk.messages)
    labels = [UNLEARNT] * len(chat.ids)
    for turn in chat.turns:
        if turn.message not in talk.slips:
            labels[turn.start : turn.end] = chat.ids[turn.start : turn.end]
    return {"input_ids": chat.ids, "labels": labels}


def arguments(settings: TrainSettings, folder: Path) -> dict[str, Any]:
    """Arguments of both trainers."""
    import torch

    on_gpu = torch.cuda.is_available()
    return {
        "output_dir": str(folder),
        "max_steps": settings.steps,
        "per_device_train_batch_size": settings.batch // settings.accumulate,
        "gradient_accumulation_steps": settings.accumulate,
        "learning_rate": settings.learning_rate,
        "max_grad_norm": 1.0,
        "adam_beta2": 0.95,
        "seed": settings.seed,
        "data_seed": settings.seed,
        "logging_steps": 1,
        "save_steps": settings.save_every,
        "save_total_limit": 2,
        "report_to": "none",
        "disable_tqdm": True,
        "use_cpu": not on_gpu,
        "bf16": on_gpu,
        "gradient_checkpointing": False,
        "dataloader_pin_memory": on_gpu,
        # To look at every loss is to wait for it: the GPU would stand still between steps.
        "logging_nan_inf_filter": False,
    }


def _log_settings(settings: TrainSettings) -> dict[str, Any]:
    """Rows of metrics: each waits for the GPU, so a long training has some hundreds of them."""
    return {"logging_steps": max(1, settings.steps // 300)}


def _narrow_on_gpu(model: Any, settings: TrainSettings) -> None:
    """There, products are in half precision anyway, and sums between them need not be wider."""
    import torch

    if settings.tune == "lora" and torch.cuda.is_available():
        narrow_frozen(model, torch.bfloat16)


def _without_mask(_: Any, inputs: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """Rows are filled up on the right, where no token looks; a mask would only slow attention."""
    return inputs, {name: value for name, value in named.items() if name != "attention_mask"}


def _printer() -> Any:
    from transformers.trainer_callback import PrinterCallback

    return PrinterCallback
