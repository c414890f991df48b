/** Writes the files that are made from the sources. test/structure.test.ts holds that they are current. */
import { writeFileSync } from 'node:fs';
import { scriptNames, scripts } from './src/cli/completion-scripts.ts';
import { openApiFile } from './src/openapi/document.ts';

for (const [shell, name] of Object.entries(scriptNames)) writeFileSync(new URL(`completions/${name}`, import.meta.url), scripts[shell]);
writeFileSync(new URL('docs/openapi.json', import.meta.url), openApiFile());
