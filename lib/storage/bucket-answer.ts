import { XMLParser } from 'fast-xml-parser';
import type { Dispatcher } from 'undici';
import { StoreAway } from '#lib/storage/refusals';

type Element = Record<string, unknown>;

/** The root element of an XML answer. */
interface XmlAnswer {
  /** The text of a child; empty when there is none. */
  text(child: string): string;
  /** The children of a name. */
  all(child: string): Element[];
}

const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true });

/** Reads an XML answer; throws what the store refused. */
export async function readXml(answer: Dispatcher.ResponseData, asked: string): Promise<XmlAnswer> {
  if (answer.statusCode >= 300) throw await refusalOf(answer, asked);
  const xml = await answer.body.text();
  // what fails at its end says so after 200 was sent: clients of AWS take that for 503, too
  if (nameOfRoot(xml) === 'Error') throw refusal(asked, 503, xml);
  return rootOf(xml);
}

/** The name exists, or is just being written. */
export const TAKEN: readonly number[] = [409, 412];

/** An answer of which the status and the headers are read, and nothing else. Throws what the store refused, unless its status is `expected`. */
export async function headOf(
  answer: Dispatcher.ResponseData,
  asked: string,
  expected: readonly number[] = [],
): Promise<Dispatcher.ResponseData> {
  if (answer.statusCode >= 300 && !expected.includes(answer.statusCode)) throw await refusalOf(answer, asked);
  await answer.body.dump();
  return answer;
}

/** An error that tells what the store said, with its code, and no secret. */
export const refusalOf = async (answer: Dispatcher.ResponseData, asked: string): Promise<Error> =>
  refusal(asked, answer.statusCode, await answer.body.text());

function refusal(asked: string, status: number, xml: string): Error {
  const said = nameOfRoot(xml) === 'Error' ? rootOf(xml) : null;
  const reason = said ? `${said.text('Code')}: ${said.text('Message')}` : 'no reason given';
  return faultOf(status, `the object store answered ${status} to ${asked}: ${reason}`);
}

/** What an answer is that nobody can use. */
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
