import ipaddr from 'ipaddr.js';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Cloud metadata services, which hand out keys, outside the link-local range: Azure, Alibaba, AWS. */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254']);

/** Whether an address may be that of a cloud metadata service, which must not be fetched even for an operator. */
export function isMetadataAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return address.range() === 'linkLocal' || METADATA.has(address.toString());
}

/**
 * Whether an address, as a resolver returns it, is public. Addresses that embed another one (IPv4-mapped, NAT64, 6to4,
 * Teredo) do not count as public, because the embedded address decides where they lead.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || METADATA.has(address.toString())) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_UNICAST);
}
