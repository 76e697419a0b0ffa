import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Where clouds answer their own machines, keys included, outside of what is link-local: Azure, Alibaba, AWS. */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);

/** Whether a cloud may tell its machines secrets there: no address to send anybody to, not even an operator. */
export function isMetadataAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'linkLocal' || METADATA.has(address.toString());
}

/**
 * Whether an address, as a resolver gives it, is one on the open internet. Addresses that carry another one inside (mapped,
 * NAT64, 6to4, Teredo) are not: where they lead is decided elsewhere.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
