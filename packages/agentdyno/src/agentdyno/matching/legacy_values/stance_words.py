"""The words by which people set a value aside: one list for all who ask.

Patterns only, as pieces of regular expressions; what they mean together is `rejecting`'s work.
"""

DOUBTED = (
    r"(?:wrong|incorrect|erroneous|mistaken|flawed|faulty|defective|broken|corrupt(?:ed)?|garbled"
    r"|bogus|nonsense|nonsensical|rubbish|garbage|absurd|ridiculous|ludicrous|impossible"
    r"|implausible|improbable|unlikely|unrealistic|unreliable|untrustworthy|unbelievable"
    r"|inaccurate|incomplete|invalid|false|fake|fictitious|fictional|hypothetical|theoretical"
    r"|made[- ]up|anomalous|stale|outdated|dated|out[- ]of[- ]date|obsolete|superseded|expired"
    r"|deprecated|retired|suspect|suspicious|dubious|doubtful|questionable|fishy|off"
    r"|inflated|deflated|exaggerated|overstated|understated|misleading|misread|miscalibrated"
    r"|mislabell?ed|misprinted|mistyped|irrelevant|meaningless|unused|worthless|useless"
    r"|in error|far[- ]fetched|behind the times|hard to (?:believe|credit|swallow)|beyond belief"
    r"|not to be (?:trusted|believed|relied on|taken seriously)|out of line|years? old"
    r"|too (?:low|high|good|small|large|big|cheap|expensive|short|long|early|late|little|much)"
    r"(?: to be \w+)?)"
)
"""What is said of a value that is not believed."""
MISTAKE = (
    r"(?:an? (?:\w{2,12}\s){0,2}?(?:error|mistake|typo|misprint|glitch|bug|artefact|artifact|slip"
    r"|malfunction|fluke|outlier|anomaly|one-off|placeholder|default|guess|joke|relic|leftover|misreading"
    r"|stand-in|dummy(?: value)?|test (?:value|entry)))"
)
"""What such a value is called."""
SOUND = (
    r"(?:right|correct|true|accurate|plausible|credible|believable|reliable|realistic|reasonable"
    r"|possible|trustworthy|valid|up to date|current|representative|in (?:use|force)|used|the case"
    r"|serious|sensible|what|the (?:right )?(?:one|answer))"
)
"""What is said of one that is believed; denied, it sets aside."""
HOLDS = r"(?:hold(?: up| water)?|make sense|apply|add up|check out|fit|ring true|count|stand)"
"""Verbs of a value that is believed."""
DISMISS = (
    r"(?:ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|discard(?:s|ed|ing)?|dismiss(?:es|ed|ing)?"
    r"|discount(?:s|ed|ing)?(?!\s(?:of|is|was|rate|price)\b)|forget(?:ting)?(?: about)?|never mind"
    r"|pay no (?:heed|attention) to|drop(?:ped|ping)?(?!\s(?:of|in|by|from|at|to|on|off|below)\b)"
    r"|skip(?:ped|ping)?"
    r"|reject(?:s|ed|ing)?|scrap(?:ped|ping)?|overlook(?:ed)?"
    r"|distrust(?:s|ed|ing)?|mistrust(?:s|ed|ing)?|disbelieve[sd]?"
    r"|(?<!no )(?<!without )(?<!beyond )(?<!in )doubt(?:s|ed|ing)?"
    r"|second-guess(?:ed|ing)?|question(?:ed|ing)?|dispute[sd]?|challenge[sd]?|overrul(?:e|ed|ing)"
    r"|overrid(?:e|es|den|ing)|overrode|contradict(?:s|ed|ing)?|replac(?:e|es|ed|ing)"
    r"|(?:set|put|leave|leaving|brush|wave|push|setting|putting|brushing) aside|set(?:ting)? aside"
    r"|throw(?:ing)? (?:out|away)|toss(?:ing)? out|strike|wr(?:ite|iting) off|rul(?:e|ing) out"
    r"|steer clear of|disagree(?:s|d)? with|be wary of|beware of"
    r"|(?:not|\w{0,7}n['’]t|never|hardly|cannot) (?:\w{2,9} )?(?:mind|trust|believe|buy"
    r"|rely on|use|take|go (?:with|by)|count on|bank on|accept|quote"
    r"|put (?:much |any )?(?:stock|faith|weight) in"
    r"|bother with|lean on|be (?:misled|fooled|guided) by))"
)
"""Verbs that set their object aside, whoever does it."""
DISMISSED = (
    r"(?:ignored|disregarded|discarded|dismissed|discounted|forgotten|dropped|skipped|rejected"
    r"|scrapped|overlooked|distrusted|overruled|overridden|replaced|set aside|thrown out|ruled out"
    r"|written off|left out|taken (?:lightly|with (?:a|some) \w+ of salt))"
)
NEGATION = (
    r"(?:not(?!\s(?:only|just|merely|simply|until|before|more|less|fewer|later|earlier|sure|yet"
    r"|bad|surprisingly))"
    r"|\w{2,6}n['’]t(?:\s(?:be|been|being|have been|equal|actually|really|currently|worth))?"
    r"|never|no longer|rather than|instead of|as opposed to|neither|nor|contrary to|in place of"
    r"|far from|anything but|by no means|in no way|nowhere near"
    r"|(?:go(?:ing)? with|prefer\w*|trust\w*|cho(?:o|se)\w*|favou?r\w*|pick\w*|tak\w+)\b"
    r"[^.;!?\n\d]{1,40}\b(?:over|above|ahead of)"
    r"|whatever|no matter what|regardless of|despite|in spite of|notwithstanding)"
)
"""What denies the value behind it."""
RETRACT = (
    r"(?:sorry|(?:no,?\s)?wait|no,|correction|scratch that|oops|strike that|hold on|my mistake"
    r"|my bad|i mean|let me (?:correct|check|re\w+)|i misspoke|make that)"
)
"""What takes back what was said before it."""
SOURCE = (
    r"(?:tool|lookup|look-up|look up|feed|record|records|register|registry|listing|sheet|database"
    r"|system|api|portal|sensor|site|page|entry|file|output|result|response|return|service|log|board"
    r"|catalogue|catalog|plan|index|table|report|dashboard|query|search|screen|app|form|document)"
)
"""Where a value was looked up."""
THING = (
    r"(?:figure|value|number|reading|price|rate|entry|one|date|time|amount|level|score|result|count"
    r"|quote|status|claim|estimate)"
)
"""What a value is called when it is talked about."""
