/** Whether a path is one of those that a path of the contract stands for: `/cars/1` of `/cars/{id}`. Both are below `/api/v1`. */
export function matchesPathTemplate(template: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = template.split('/');
  return wanted.length === parts.length && wanted.every((part, index) => part.startsWith('{') || part === parts[index]);
}
