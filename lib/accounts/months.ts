/** When the calendar month began (UTC) that all monthly limits count in. */
export const startOfMonth = (now = new Date()): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
