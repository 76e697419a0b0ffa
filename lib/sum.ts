export const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
