"""Files that people own: guidance such as AGENTS.md, and one Markdown file per saved memory.

Reading order: `discover` finds documents and inlines their imports, `saved` keeps the memories that
an agent saves, `compose` renders both as the text at the head of a prompt, `edit` changes a document
without losing anybody's words. These know nothing of the database, nor do `files`, `markdown` and
`frontmatter`, on which they stand.

`workplace` is all of it for one folder, beside the database: `sections` makes documents searchable,
`agreement` and `in_step` keep each saved memory's file and row the same, `updates` tells sessions
that run on an older text, `screening` asks the guard, `erase` takes away what was forgotten.
`remember` is the tool that saves. `foreign`, `foreign_gather` and `bring` take over what other
programs remember.
"""
