import type { OutputFormat } from '../format.ts';

export const yaml = {
  name: 'yaml',
  about: 'the records as YAML',
  open: async ({ width }) => (await import('../yaml.ts')).yamlFormat({ safe: width !== undefined }),
} as const satisfies OutputFormat;
