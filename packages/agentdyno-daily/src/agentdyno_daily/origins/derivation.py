"""The derivation of origins: one row per turn and origin of its tokens."""

from agentdyno.studies.derivation import Derivation, Ground, Make
from agentdyno_daily.origins.token_origins import VERSION, derive_origins


def _find_origins(ground: Ground) -> Make:
    return lambda found, tables: {"origins": derive_origins(found, tables["turns"])}


ORIGINS = Derivation(("origins",), lambda: {"origins": VERSION}, _find_origins)
