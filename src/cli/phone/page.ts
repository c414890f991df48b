/**
 * The page for the phone, as the build wrote it: one file, the same for everyone, without a secret.
 */
import { createHash } from 'node:crypto';
import { readPart } from '../../parts.ts';

export interface Page {
  readonly html: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

export async function readPage(): Promise<Page> {
  const html = readPart('phone/page.html');
  const text = html.toString();
  const hashOf = (tag: string) => {
    const content = text.slice(
      text.indexOf(`<${tag}>`) + tag.length + 2,
      text.lastIndexOf(`</${tag}>`),
    );
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  };
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf('script')}`,
    `style-src ${hashOf('style')}`,
    "connect-src 'self'",
    'img-src blob: data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
    },
  };
}
