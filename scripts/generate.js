/** Writes the generated files of the repository. test/structure.test.ts checks that they are current. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { liveTree } from '../src/cli/commands/catalogue.ts';
import { scriptNames, scripts } from '../src/cli/commands/completion/scripts.ts';
import { otherServersPage } from '../src/cli/commands/doctor/command-needs.ts';
import { manPages } from '../src/cli/framework/reference/man.ts';
import { markdownPages } from '../src/cli/framework/reference/markdown.ts';

const root = new URL('../', import.meta.url);

for (const [shell, name] of Object.entries(scriptNames))
  writeFileSync(new URL(`completions/${name}`, root), scripts[shell]);
writeFolder('docs/reference/', {
  ...(await markdownPages(liveTree)),
  'other-servers.md': await otherServersPage(liveTree),
});
namePages(Object.keys(await manPages(liveTree)));

/** Lists the manual pages in package.json, since npm installs only listed pages. The build writes the pages themselves. */
function namePages(names) {
  const place = new URL('package.json', root);
  const manifest = JSON.parse(readFileSync(place, 'utf8'));
  manifest.man = names.sort().map((name) => `./dist/man/${name}`);
  writeFileSync(place, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Replaces the content of a folder with these files. */
function writeFolder(folder, files) {
  const place = new URL(folder, root);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(new URL(name, place), text);
}
