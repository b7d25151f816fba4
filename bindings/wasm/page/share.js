// A text in the fragment of the address: nothing of it is sent to anybody.

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

function toText(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function toBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0));
}

/** The fragment of a text on a tab. */
export async function packed(tab, text) {
  return `#${tab}=${toText(await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text)))}`;
}

/** Tab and text of a fragment; `null` if it has none. */
export async function unpacked(fragment) {
  const found = /^#(c|smt)=([\w-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const bytes = await through(new DecompressionStream("deflate-raw"), toBytes(found[2]));
    return { tab: found[1], text: new TextDecoder().decode(bytes) };
  } catch {
    return null;
  }
}

/** The bytes of the module, which stand in the page as text. */
export async function inflated(text) {
  return through(new DecompressionStream("gzip"), Uint8Array.from(atob(text), (c) => c.charCodeAt(0)));
}
