/** Writes the files that are made from the sources. test/structure.test.ts holds that they are current. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { scriptNames, scripts } from './src/cli/commands/completion/scripts.ts';
import { manPages } from './src/cli/framework/reference/man.ts';
import { markdownPages } from './src/cli/framework/reference/markdown.ts';
import { liveTree } from './src/cli/framework/tree/live-tree.ts';
import { openApiFile } from './src/openapi/document.ts';

for (const [shell, name] of Object.entries(scriptNames)) writeFileSync(new URL(`completions/${name}`, import.meta.url), scripts[shell]);
writeFileSync(new URL('docs/openapi.json', import.meta.url), openApiFile());
writeFolder('docs/reference/', await markdownPages(liveTree));
const pages = await manPages(liveTree);
writeFolder('man/', pages);
writePages(Object.keys(pages));

/** npm installs the pages that package.json names, one by one. */
function writePages(names) {
  const place = new URL('package.json', import.meta.url);
  const manifest = JSON.parse(readFileSync(place, 'utf8'));
  manifest.man = names.sort().map((name) => `./man/${name}`);
  writeFileSync(place, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A folder that holds these files and nothing else. */
function writeFolder(folder, files) {
  const place = new URL(folder, import.meta.url);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, place), text);
}
