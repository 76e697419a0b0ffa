const REFUND = /the gems were refunded/i;

/** What is said of a failure, with how many gems came back, once. */
export const withRefund = (message: string, gems = 0): string => {
  const words = `${gems} gems were refunded`;
  if (!gems) return message;
  return REFUND.test(message) ? message.replace(REFUND, words) : `${message} ${words}.`.trimStart();
};
