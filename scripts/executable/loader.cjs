/**
 * The main script of the executable: loads the chunks of the bundle from the parts inside, each with what V8 compiled of it before.
 * Run by Node itself, as the build does, it reads the parts from this folder and keeps there what V8 compiled in this run.
 */
'use strict';
const sea = require('node:sea');
const { Script } = require('node:vm');

const inside = sea.isSea();
const fs = inside ? undefined : require('node:fs');

const parts = {
  read(name) {
    // A copy: the bytes in the executable are read-only.
    return inside ? Buffer.from(sea.getAsset(name)) : fs.readFileSync(`${__dirname}/${name}`);
  },
  names() {
    return JSON.parse(parts.read('names.json'));
  },
};

function text(name) {
  return inside
    ? Buffer.from(sea.getRawAsset(name)).toString()
    : fs.readFileSync(`${__dirname}/${name}`, 'utf8');
}

function compiled(name) {
  if (inside) return Buffer.from(sea.getRawAsset(`${name}.compiled`));
  return fs.existsSync(`${__dirname}/${name}.compiled`)
    ? fs.readFileSync(`${__dirname}/${name}.compiled`)
    : undefined;
}

const loaded = new Map();

function load(name) {
  const known = loaded.get(name);
  if (known) return known.module.exports;
  const head = '(function(exports,require,module,__filename,__dirname){';
  const script = new Script(`${head}${text(name)}\n})`, {
    filename: `cs/${name}`,
    // For the maps, which know the text alone.
    columnOffset: -head.length,
    cachedData: compiled(name),
  });
  const module = { exports: {} };
  loaded.set(name, { script, module });
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const requireFrom = (id) => {
    if (id === 'cs:parts') return parts;
    if (!id.startsWith('.')) return require(id);
    return load(new URL(id, `file:///${folder}`).pathname.slice(1));
  };
  script.runInThisContext()(module.exports, requireFrom, module, process.execPath, folder);
  return module.exports;
}

if (!inside)
  process.on('exit', () => {
    for (const [name, { script }] of loaded)
      fs.writeFileSync(`${__dirname}/${name}.compiled`, script.createCachedData());
  });

try {
  load('cli/main.js');
} catch (error) {
  // Without this, Node would print the line of the error: a whole chunk.
  console.error(`error: cs couldn't start: ${String(error.message).slice(0, 1000)}`);
  console.error('hint: download the executable again, and check its SHA-256');
  process.exit(1);
}
