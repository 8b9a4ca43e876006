"""What faces someone else's interface: hosts' hooks, the MCP server, stores of agent frameworks."""
