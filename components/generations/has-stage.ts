/** Whether the page shows in its own place what was submitted, and what becomes of it. */
export const hasStage = (): boolean => /^\/(create|matrix|recipes\/.)/.test(location.pathname);
