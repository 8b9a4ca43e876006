// hippo-memory by its public API, as its MCP tools remember and recall: words alone, as there is no embedder of
// its own without a model fetched from a hub. `hippo recall` of the command line looks at the 200 newest that
// have a word of the query, which finds less. What is recalled is not marked as used, so that every prompt
// meets the same memory. The lines are those of exchange.py.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const installed = join(process.env.PEER_HOME, "node_modules", "hippo-memory");
const about = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
const main = createRequire(join(installed, "package.json")).resolve("./" + about.main);
const hippo = await import(pathToFileURL(main).href);

const BUDGET = 4000; // as `hippo recall` has it, in its own tokens of four characters
let root;

function fill({ folder, fill: items }) {
  root = join(folder, ".hippo");
  hippo.initStore(root);
  for (const item of items) {
    const text = `${item.speaker}: ${item.text}`;
    const schema_fit = hippo.computeSchemaFit(text, [], hippo.loadAllEntries(root));
    hippo.writeEntry(root, hippo.createMemory(text, { confidence: "verified", schema_fit }));
  }
  return { version: about.version };
}

async function ask({ ask: prompt, limit }) {
  const started = performance.now();
  const entries = hippo.loadAllEntries(root);
  const found = await hippo.hybridSearch(prompt, entries, { budget: BUDGET, hippoRoot: root });
  const seconds = (performance.now() - started) / 1000;
  return { texts: found.slice(0, limit).map((one) => one.entry.content), seconds };
}

for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  const answer = "fill" in told ? fill(told) : await ask(told);
  process.stdout.write(JSON.stringify(answer) + "\n");
}
