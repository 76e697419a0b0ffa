/** What is wrong at a place of a form, or below it, by JSON pointer. */
export type Problem = (path: string) => string | undefined;

export const problemIn =
  (issues: readonly { path: string; message: string }[]): Problem =>
  path =>
    issues.find(issue => issue.path === path || issue.path.startsWith(`${path}/`))?.message;
