/** Why a process cannot start, told to the operator in one message without a stack: what is wrong and what to do. */
export class StartError extends Error {}
