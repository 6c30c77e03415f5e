"""Supervised warm-up: the model learns to say what reference plans say.

Takes settings, lessons and a folder, returns the trained model. The loss is over what an assistant
says and its end token, without slips. On TRL's trainer, which has checkpoints and optimizers.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agentdyno.engines.chat import answer_ids, chat_ids
from agentdyno.records import InputError
from agentdyno.training.lessons import Lesson, conversations
from agentdyno.training.loading import load_trainable, require_trl
from agentdyno.training.plans import Conversation
from agentdyno.training.progress import MetricsFile, Told, callback, last_checkpoint
from agentdyno.training.settings import TrainSettings

UNLEARNT = -100


def train_sft(
    settings: TrainSettings,
    lessons: Sequence[Lesson],
    folder: Path,
    told: Told | None = None,
    seconds: float | None = None,
) -> tuple[Any, Any]:
    """Trains, or goes on from the last checkpoint; the model and its tokenizer."""
    trl = require_trl()
    from datasets import Dataset

    model, tokenizer = load_trainable(settings)
    rows = [example(talk, tokenizer) for talk in conversations(lessons, settings)]
    kept = [row for row in rows if len(row["input_ids"]) <= settings.window]
    if not kept:
        raise InputError(f"expected conversations of at most {settings.window} tokens, found none.")
    metrics = MetricsFile(folder, told)
    resumed = last_checkpoint(folder)
    metrics.rewind(0 if resumed is None else int(resumed.name.partition("-")[2]))
    trainer = trl.SFTTrainer(
        model=model,
        args=trl.SFTConfig(**arguments(settings, folder), max_length=settings.window,
                           lr_scheduler_type="cosine", warmup_steps=max(1, settings.steps // 20),
                           train_sampling_strategy="group_by_length"),
        train_dataset=Dataset.from_list(kept),
        processing_class=tokenizer,
        callbacks=[callback(metrics, dict, seconds)],
    )  # fmt: skip
    trainer.remove_callback(_printer())
    trainer.train(resume_from_checkpoint=None if resumed is None else str(resumed))
    return trainer.model, tokenizer


def example(talk: Conversation, tokenizer: Any) -> dict[str, list[int]]:
    """Token ids and labels of one conversation; what is not to be learnt is marked."""
    ids = list(chat_ids(tokenizer, talk.messages[:-1]))
    labels = [UNLEARNT] * len(ids)
    for place in talk.learnt:
        start = len(chat_ids(tokenizer, talk.messages[:place]))
        said = answer_ids(tokenizer, talk.messages[:place], talk.messages[place])
        assert said is not None, "plain text is written by every template as it is"
        if place == len(talk.messages) - 1:
            ids += said
            labels += said
        else:
            labels[start : start + len(said)] = said
    return {"input_ids": ids, "labels": labels}


def arguments(settings: TrainSettings, folder: Path) -> dict[str, Any]:
    """What both trainers are told."""
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
    }


def _printer() -> Any:
    from transformers.trainer_callback import PrinterCallback

    return PrinterCallback
