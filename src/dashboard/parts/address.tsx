/** A text whose e-mail address breaks before its @ where a line is too short for it. */

export function Address({ text }: { readonly text: string }) {
  const at = text.indexOf('@');
  return at < 0 ? (
    <span>{text}</span>
  ) : (
    <span>
      {text.slice(0, at)}
      <wbr />
      {text.slice(at)}
    </span>
  );
}
