"""`cogmem inspect`: the memory in a browser, with Datasette, in a process of its own.

`server` is that process: loopback only, read-only, behind a key that changes with every start.
`metadata` tells Datasette what tables, columns and questions mean; `pages` adds the pages and links
that it has not. No page loads anything from elsewhere: the server forbids it.
"""
