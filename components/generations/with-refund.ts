const REFUND = /the gems were refunded/i;

/** What is said of a failure, with how many gems came back, once. */
export const withRefund = (message: string, gems: number | undefined): string => {
  if (!gems) return message;
  const words = `${gems} ${gems === 1 ? 'gem was' : 'gems were'} refunded`;
  return REFUND.test(message) ? message.replace(REFUND, words) : `${message} ${words}.`.trimStart();
};
