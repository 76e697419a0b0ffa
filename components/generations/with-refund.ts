const REFUND = /the gems were refunded/i;

/** Returns the message of a failure, which states once how many gems were refunded. */
export const withRefund = (message: string, gems: number | undefined): string => {
  if (!gems) return message;
  const words = `${gems} ${gems === 1 ? 'gem was' : 'gems were'} refunded`;
  return REFUND.test(message) ? message.replace(REFUND, words) : `${message} ${words}.`.trimStart();
};
