"""Files that people own: guidance such as AGENTS.md, and one Markdown file per saved memory.

Reading order: `discover` finds documents and inlines their imports, `saved` keeps the memories that
an agent saves, `compose` freezes both into the text at the head of a prompt, `edit` changes a
document without losing anybody's words, `remember` is the tool for it, and `foreign` reads what
other programs remember. `files`, `markdown` and `frontmatter` are what these stand on.
No module here touches the database; every result carries digests so that a sync can be built on it.
"""
