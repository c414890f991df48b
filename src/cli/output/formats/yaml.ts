import type { OutputFormat } from '../format.ts';

export const yaml = {
  name: 'yaml',
  about: 'the records as YAML',
  open: async ({ toTerminal }) => (await import('../yaml.ts')).yamlFormat({ safe: toTerminal }),
} as const satisfies OutputFormat;
