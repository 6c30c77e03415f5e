"""ToolFail: questions whose right answer only the tool knows, and questions that need no tool.

    load_suite()                 the bundled tasks, or a folder in the published format   suite
    toolfail_task(...)           the Inspect task                                         task
    order_evenly(tasks)          an order of which every beginning is like the whole      sampling

Importing this package imports no Inspect.
"""
