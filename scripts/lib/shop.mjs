// Buys a book in a real, headless browser, and watches the live page. Usage: node shop.mjs ADDRESS [FOLDER], where
// FOLDER takes pictures of the pages.
import { expect, visit } from './visitor.mjs';

const [address, folder] = process.argv.slice(2);
const ada = await visit(address, folder);
try {
  await ada.open('/');
  expect('home greets', (await ada.text('main')).includes('Welcome'));
  await ada.picture('home');
  await ada.find('BABABABABABAOG');
  await ada.picture('item');
  await ada.submit('form[action="/cart"]');
  await ada.picture('cart');
  const user = await ada.register('Ada <b>');
  const bought = await ada.pay();
  await ada.open('/orders');
  expect('names are text', (await ada.text('main')).includes('Ada <b>'));
  expect(`the order shown is the one bought, ${bought}`, (await ada.lastOrder(user)) === bought);
  await ada.picture('order');
  await ada.open('/live');
  await ada.page.waitForSelector('#live td');
  const before = await ada.text('#live');
  await ada.page.waitForFunction((old) => document.querySelector('#live').textContent !== old, {}, before);
  await ada.picture('live');
  expect(`scripts fail: ${ada.faults}`, ada.faults.length === 0);
  console.log(`order ${bought} was bought, shown, and the live page moves`);
} finally {
  await ada.browser.close();
}
