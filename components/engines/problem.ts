/** Returns the first issue at or below a JSON pointer of the form's value. */
export type Problem = (path: string) => string | undefined;

export const problemIn =
  (issues: readonly { path: string; message: string }[]): Problem =>
  path =>
    issues.find(issue => issue.path === path || issue.path.startsWith(`${path}/`))?.message;
