// Two browsers buy the same book at two servers of one shop, which share nothing but S3 and SQS. At SERIALIZABLE each
// sees at once what the other has done. Usage: node shops.mjs ADDRESS ADDRESS [FOLDER]
import { expect, visit } from './visitor.mjs';

const COPIES = 2;
const [first, second, folder] = process.argv.slice(2);
const ada = await visit(first, folder);
const bob = await visit(second, folder);
try {
  const shoppers = [ada, bob];
  for (const shopper of shoppers) {
    await shopper.find('BABABABABABARE');
  }
  const stock = Number(await bob.text('#stock'));
  const bookPage = bob.page.url().replace(second, '');
  for (const shopper of shoppers) {
    await shopper.submit('form[action="/cart"]');
    await shopper.page.$eval('input[type=number]', (input, copies) => { input.value = copies; }, COPIES);
    await shopper.submit('form[action="/cart"]');
    shopper.user = await shopper.register('Ada');
  }
  const orders = await Promise.all(shoppers.map((shopper) => shopper.pay()));
  expect('two orders are two', orders[0] !== orders[1]);
  // Sold is what both have bought; or a multiple of a delivery of 21 more, which comes when a book runs low.
  for (const shopper of shoppers) {
    await shopper.open(bookPage);
    const left = Number(await shopper.text('#stock'));
    expect(`${left} are left of ${stock}`, (left - stock + 2 * COPIES) % 21 === 0);
  }
  await bob.picture('two-servers');
  expect('the second server shows the order of the first', (await bob.lastOrder(ada.user)) === orders[0]);
  expect('the first server shows the order of the second', (await ada.lastOrder(bob.user)) === orders[1]);
  await ada.find('BABABABABABARE');
  await ada.submit('form[action="/cart"]');
  ada.goTo(second);
  await ada.open('/cart');
  expect('a cart follows its visitor to the second server', (await ada.page.$$('input[type=number]')).length === 1);
  console.log(`orders ${orders.join(' and ')} were bought at two servers, and each shows the other's; so is the cart`);
} finally {
  await ada.browser.close();
  await bob.browser.close();
}
