// Answers each line of standard input, a JSON string that holds a JSON5 text,
// with a line that says what the npm package json5 makes of it. Its folder is
// the argument.
'use strict';
const JSON5 = require(process.argv[2]);
const lines = require('readline').createInterface({ input: process.stdin });

function plain(v) {
  if (typeof v === 'number') return { number: Object.is(v, -0) ? '-0' : String(v) };
  if (typeof v === 'string') return { text: v.toWellFormed() };
  if (Array.isArray(v)) return { items: v.map(plain) };
  if (v === null || typeof v === 'boolean') return { word: String(v) };
  return { members: Object.keys(v).map((k) => ({ key: k.toWellFormed(), value: plain(v[k]) })).sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)) };
}

lines.on('line', (line) => {
  let answer;
  try {
    answer = { value: plain(JSON5.parse(JSON.parse(line))) };
  } catch (err) {
    answer = { error: String(err.message) };
  }
  process.stdout.write(JSON.stringify(answer) + '\n');
});
