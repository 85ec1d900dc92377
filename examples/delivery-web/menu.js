/** The app's products. Navigation uses only their ids; names and prices belong to the app. */
export const restaurants = [
  { id: 1, name: "Trattoria Luna", kind: "Pizza and pasta", minutes: 30, dishes: [11, 12, 13] },
  { id: 2, name: "Green Bowl", kind: "Salads and soups", minutes: 20, dishes: [21, 22] },
  { id: 3, name: "Sakura", kind: "Sushi and ramen", minutes: 40, dishes: [31, 32, 33] },
];

export const dishes = new Map([
  [11, ["Margherita", 9.5]], [12, ["Quattro stagioni", 12]], [13, ["Lasagne", 11]], [21, ["Lentil soup", 7]], [22, ["Garden bowl", 10.5]],
  [31, ["Shoyu ramen", 13]], [32, ["Maki, 8 pieces", 9]], [33, ["Edamame", 5]],
]);

export const addresses = { home: "12 Hill Road", work: "3 Station Square" };
export const slots = { now: "As soon as possible", noon: "At noon", evening: "In the evening" };

export const restaurantOf = (id) => restaurants.find((one) => one.id === id) ?? { id, name: `Restaurant ${id}`, kind: "", minutes: 30, dishes: [11, 21, 31] };
export const dishOf = (id) => dishes.get(id) ?? [`Dish ${id}`, 10];
export const price = (amount) => `€ ${amount.toFixed(2)}`;
