"""One pattern that matches every text that may hold a secret, and few others.

Most texts hold none, and the rules cost more than reading a text did. So whoever has many texts
searches them with `ANY_OF_THEM` first, all at once, and runs the rules over what it found only. In
the dialect of polars (Rust), whose engine takes a text once through however many branches it has;
`may_hold_secret` is the same for one text at a time.
"""

import re

_QUOTES = r"[\"'`\\\])]*"
_NAMES = (
    r"(?:[pP][aA][sS][sS]|[pP][sS]?[wW][dD]?|[sS][eE][cC][rR][eE][tT]|[tT][oO][kK][eE][nN]|[kK][eE][yY]"
    r"|[aA][uU][tT][hH]|[cC][rR][eE][dD]|[cC][oO][oO][kK][iI][eE]|[sS][eE][sS][sS]|[sS][iI][gG]|[sS][iI][dD]"
    r"|[jJ][wW][tT]|[sS][aA][sS]|[pP][aA][tT]|[pP][iI][nN]|[oO][tT][pP]|[cC][vV][vVcC]|[cC][oO][dD][eE]"
    r"|[sS][aA][lL][tT]|[sS][eE][eE][dD]|[nN][oO][nN][cC][eE]|[dD][sS][nN]|[cC][sS][rR][fF]|[lL][oO][gG][iI][nN]"
    r"|[aA][pP][pP][iI][dD]|[pP][sS][kK]|[bB][eE][aA][rR][eE][rR]|[mM][nN][eE][mM][oO][nN][iI][cC]|[pP][hH][rR][aA][sS][eE]"
    r"|[kK]ennwort|contrase|senha|wachtwoord|has[lł]o|parola|clave|mdp|mot[ _]de[ _]passe"
    r"|密码|密碼|口令|パスワード|비밀번호|암호|пароль)"
)
_SIGN, _SIGN_OR_DASH = "[A-Za-z0-9]", r"[A-Za-z0-9_\-]"
ANY_OF_THEM = (
    # A name, and what stands between it and a value.
    rf"{_NAMES}[A-Za-z0-9_.\-]*{_QUOTES}\s*(?:[:=]|%3|[,(|]\s*[\"'`\\0-9]|>[^\s<]|=>|\t|(?:is|was|to|as)\s|[\"'`\\ ,]*value)"
    r"|--?[a-z-]*(?:pass|pw|secret|token|key|auth)[a-z-]*\s"
    r"|[pP][aA][sS][sS][wW][a-zA-Z]*\s+[\\\"'`]|[bB]asic\s|machine\s|IDENTIFIED|identified by"
    # A run of letters and digits: a long one, or one with a digit inside.
    rf"|{_SIGN * 20}|{_SIGN_OR_DASH * 7}+[0-9]{_SIGN_OR_DASH * 6}"
    r"|-----BEGIN|eyJ|Private-Lines|://[^\s/@]*:|://[^\s/]*@|otpauth|hooks\.|webhook|AsPlainText"
    r"|\$(?:[1-7y]|2[abxy]|apr1|argon|scrypt|pbkdf|P|H)"
    r"|(?:sshpass|redis-cli|ldap[a-z]+|curl|wget|mongo[a-z]*|mysql[a-z]*|mariadb[a-z]*|docker|podman|helm|oc|az|7z|zip|snmp[a-z]+"
    r"|smbclient|rpcclient|rabbitmqctl|htpasswd|openssl|xfreerdp|https?|xh|mosquitto_[a-z]+|cqlsh)\s(?:[^\n]*\s)?[-/][aupPwUkbAX]"
    r"|net user|chpasswd|sudo -S|-pass(?:in|out)?\spass:|jdbc:oracle|sqlplus"
    # Beginnings alone: a table's text may have been cut behind one.
    r"|[^a-z]sk-|^sk-|A[KS]IA[A-Z0-9]|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|AIza|ya29\.|hf_|k_live_|k_test_"
    r"|npm_|pypi-|SG\.|\d:AA|(?:[a-z0-9.*-]+):[0-9*]+:[^:\s]+:[^:\s]+:"
)  # fmt: skip
"""In polars' dialect, without counted repetitions, which such engines are slow at."""

_QUICK = re.compile(ANY_OF_THEM)


def may_hold_secret(text: str) -> bool:
    """Whether the rules have anything to look at."""
    return _QUICK.search(text) is not None
