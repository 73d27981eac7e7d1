"""Tables in play: rooms, connections, bots and what each seat is sent."""
