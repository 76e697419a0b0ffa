import { XMLParser } from 'fast-xml-parser';
import type { Dispatcher } from 'undici';
import { StoreAway } from '#lib/storage/refusals';

type Element = Record<string, unknown>;

/** Root element of an XML response. */
interface XmlAnswer {
  /** Returns the text of a child; empty when there is none. */
  text(child: string): string;
  /** Returns all children of a name. */
  all(child: string): Element[];
}

const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true });

/** Reads an XML response. Throws the error of the store when it refused the request. */
export async function readXml(answer: Dispatcher.ResponseData, asked: string): Promise<XmlAnswer> {
  if (answer.statusCode >= 300) throw await refusalOf(answer, asked);
  const xml = await answer.body.text();
  // a request may fail after status 200 was sent; AWS clients treat that as a 503, too
  if (nameOfRoot(xml) === 'Error') throw refusal(asked, 503, xml);
  return rootOf(xml);
}

/** Statuses that mean that the name exists or is being written. */
export const TAKEN: readonly number[] = [409, 412];

/** Returns a response for its status and headers, and discards its body. Throws for a refusal, unless `expected`. */
export async function headOf(
  answer: Dispatcher.ResponseData,
  asked: string,
  expected: readonly number[] = [],
): Promise<Dispatcher.ResponseData> {
  if (answer.statusCode >= 300 && !expected.includes(answer.statusCode)) throw await refusalOf(answer, asked);
  await answer.body.dump();
  return answer;
}

/** Makes an error with the code and message of the store, and without secrets. */
export const refusalOf = async (answer: Dispatcher.ResponseData, asked: string): Promise<Error> =>
  refusal(asked, answer.statusCode, await answer.body.text());

function refusal(asked: string, status: number, xml: string): Error {
  const said = nameOfRoot(xml) === 'Error' ? rootOf(xml) : null;
  const reason = said ? `${said.text('Code')}: ${said.text('Message')}` : 'no reason given';
  return faultOf(status, `the object store answered ${status} to ${asked}: ${reason}`);
}

/** Makes the error for an unusable response: `StoreAway` when a retry may help, as for 429 and 5xx. */
export const faultOf = (status: number, message: string): Error =>
  status === 429 || status >= 500 ? new StoreAway(message) : new Error(message);

const nameOfRoot = (xml: string): string | undefined => /<([A-Za-z]+)[\s/>]/.exec(xml)?.[1];

function rootOf(xml: string): XmlAnswer {
  const root = ((parser.parse(xml) as Element)[nameOfRoot(xml) ?? ''] || {}) as Element;
  return {
    text: child => String(root[child] ?? ''),
    all: child => [root[child] ?? []].flat() as Element[],
  };
}
