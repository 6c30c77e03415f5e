"""What sessions shipped: the lines that their edits wrote, found again in commits by what they say.

    history   commits and what they changed, as values
    work      what sessions wrote, and what each line cost
    joining   which lines of a commit an edit wrote
    study     dollars by commit, pull request, branch and session; lines that lasted
    results   what is found

Worked: a session of $6 wrote 30 lines; 20 stand in a commit of the main branch, which cost $4, and
10 in none: $2 never reached a commit.
"""
