// SQLSTATE codes of Postgres errors

export const UNIQUE_VIOLATION = '23505';
export const NOT_ALLOWED = '42501';
export const LOCK_NOT_AVAILABLE = '55P03';
