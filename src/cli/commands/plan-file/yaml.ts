/** A YAML file that people write, with the line of each problem in it. */
import { isNode, LineCounter, parseDocument } from 'yaml';
import type { Issue } from '../../../contract/problems.ts';
import { CliError } from '../../errors/exit.ts';
import { isObject } from '../../input/plain-object.ts';
import type { Row } from '../../output/view.ts';

export type Path = readonly (string | number)[];

export interface PlanFile {
  /** Empty where the file isn't a record. */
  readonly content: Row;
  lineOf(path: Path): number;
  wrong(path: Path, message: string): void;
  /** Exit 3 after a problem, with the line of each. */
  check(): void;
}

/** Exit 3 for a text that isn't YAML. `hint` says how the file is written. */
export function readPlanFile(
  text: string,
  { name, kind, hint }: Record<'name' | 'kind' | 'hint', string>,
): PlanFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const issues: Issue[] = [];
  const add = (line: number, path: Path, message: string) =>
    issues.push({
      path: `line ${line} ${path.slice(-1).filter((part) => typeof part === 'string')}`.trim(),
      rule: 'file',
      message,
    });
  for (const { pos, message } of [...document.errors, ...document.warnings])
    add(lines.linePos(pos[0]).line, [], message);
  const lineOf = (path: Path): number => {
    const node = document.getIn(path, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return path.length > 0 ? lineOf(path.slice(0, -1)) : 1;
  };
  const check = () => {
    if (issues.length === 0) return;
    throw new CliError({
      code: 'validation_failed',
      message: `${name === '-' ? 'stdin' : name} isn't ${kind}; nothing was sent.`,
      hint,
      details: { issues: issues.slice(0, 20) },
    });
  };
  check();
  const content: unknown = document.toJS();
  return {
    content: isObject(content) ? content : {},
    lineOf,
    wrong: (path, message) => add(lineOf(path), path, message),
    check,
  };
}
