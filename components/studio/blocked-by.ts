/** Why nothing can be submitted now, or null. What the server has not said yet is no reason. */
export function blockedBy(facts: {
  total: number;
  balance: number | undefined;
  count: number;
  live: number;
  /** Most that may be live at a time. */
  mostLive: number | undefined;
  isUploading: boolean;
  hasFaults: boolean;
}): string | null {
  const { total, balance, count, live, mostLive, isUploading, hasFaults } = facts;
  if (isUploading) return 'Wait until the upload is done.';
  if (hasFaults) return 'Change what is marked above.';
  if (balance !== undefined && balance < total) return `This costs ${total} gems, and you have ${balance}.`;
  if (mostLive === undefined || live + count <= mostLive) return null;
  if (live === 0) return `At most ${mostLive} run at a time.`;
  return `At most ${mostLive} run at a time, and ${live} do. Wait for one, or cancel one.`;
}
